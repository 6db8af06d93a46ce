import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import type { Line } from '../../examples/resume/store.js';
import { root, runNode, withServer, type Ended, type RunOptions, type Server } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'resume-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
let stores = 0;
const newStore = () => join(folder, `${(stores += 1)}.jsonl`);

/**
 * The example as JavaScript in a folder that has the package installed. The many processes here start in a third of the
 * time that they would take with tsx.
 */
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/ai-sdk-provider-perplexity-agent'), 'junction');
  symlinkSync(join(root, 'node_modules/ai'), join(folder, 'node_modules/ai'), 'junction');
  writeFileSync(join(folder, 'stand-still.js'), STAND_STILL);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'resume'));
  for (const name of ['resume', 'resume/store']) {
    const source = readFileSync(join(root, `examples/${name}.ts`), 'utf8');
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
    writeFileSync(join(folder, `${name}.js`), ts.transpileModule(source, { compilerOptions }).outputText);
  }
});

const worker = (server: Server, args: string[], options: RunOptions = {}) =>
  runNode([join(folder, 'resume.js'), ...args], { ...options, env: { ...server.env, ...options.env } });

/** The lines of a store. */
const linesOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/**
 * Loaded before the example: when it stores a line that matches, it stands still right after, or in the middle of it. So the
 * kill from outside comes at that moment, however busy the machine is.
 */
const STAND_STILL = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { writeSync } = fs;
const { STOP_AT, STOP_IN_LINE } = process.env;
fs.writeSync = (fd, text) => {
  if (!new RegExp(STOP_AT).test(text)) return writeSync(fd, text);
  const bytes = Buffer.from(text);
  writeSync(fd, STOP_IN_LINE === 'yes' ? bytes.subarray(0, bytes.length / 2) : bytes);
  writeSync(2, 'standing still');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
syncBuiltinESMExports();
`;

/** Lines of the store, as a pattern. */
const ID = '"responseId"';
const SOURCES = '"sources"';
const TEXT = '"texts"';
const atEvent = (number: number) =>
  `"event":(${Array.from({ length: 100 }, (_, index) => number + index).join('|')})[,}]`;

/** Runs the worker, and kills it from outside when it stores a line that matches. */
async function killed(server: Server, store: string, moment: string, inLine = false): Promise<void> {
  const preload = pathToFileURL(join(folder, 'stand-still.js')).href;
  const ended = await runNode(['--import', preload, join(folder, 'resume.js'), '--store', store], {
    env: { ...server.env, STOP_AT: moment, STOP_IN_LINE: inLine ? 'yes' : 'no' },
    onError: (stderr, kill) => void (stderr.includes('standing still') && kill('SIGKILL')),
  });
  expect(ended).toMatchObject({ code: null, stdout: '' });
}

/** Cuts the last line short, as a write that the death of the process interrupted. */
function tear(store: string): void {
  const bytes = readFileSync(store);
  const lineStart = bytes.subarray(0, -1).lastIndexOf('\n') + 1;
  truncateSync(store, lineStart + Math.ceil((bytes.length - lineStart) / 2));
}

type Wire = {
  status: string;
  output: Array<{ type: string; content?: Array<{ text: string }>; results?: Array<{ url: string }> }>;
  usage: { cost: { total_cost: number } } | null;
};

/** What the API says of the run that it knows last. */
async function wireOf({ url, simulator }: Server) {
  const id = simulator.runs.at(-1)?.id;
  const reply = await fetch(`${url}/v1/agent/${id}`, { headers: { authorization: 'Bearer test-key' } });
  const { output, usage, status } = (await reply.json()) as Wire;
  return {
    status,
    text: output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join(''),
    urls: [...new Set(output.flatMap(({ results = [] }) => results.map(({ url: address }) => address)))],
    cost: usage?.cost.total_cost,
  };
}

function readPrinted(stdout: string) {
  const [, text, , list, ending] = /^(.*)\n\n(\d+) sources:\n((?:- .*\n)*)\n(.*)\n$/s.exec(stdout) ?? [];
  const urls = Array.from((list ?? '').matchAll(/ (https?:\S+)\n/g), ([, address]) => String(address));
  return { text, urls, ending };
}

/** What has to hold however often a run was killed: all of it is there, once, and nobody stopped or repeated it. */
async function expectWhole(server: Server, store: string, last: Ended, runs = 1) {
  const { simulator } = server;
  const wire = await wireOf(server);
  expect(wire.status).toBe('completed');
  const printed = readPrinted(last.stdout);
  expect({ code: last.code, text: printed.text, ending: printed.ending }).toEqual({
    code: 0,
    text: wire.text,
    ending: `stop, $${wire.cost}`,
  });
  expect([...printed.urls].sort()).toEqual([...wire.urls].sort());
  const lines = linesOf(store);
  expect(lines.filter(({ end }) => end !== undefined)).toHaveLength(1);
  // The store would hide a source that comes twice.
  const sinceRestart = lines.slice(lines.map(({ restarted }) => restarted).lastIndexOf(true) + 1);
  const stored = sinceRestart.flatMap(({ sources = [] }) => sources.map(({ url }) => url));
  expect(new Set(stored).size).toBe(stored.length);
  expect(simulator.runs).toHaveLength(runs);
  expect(simulator.runs.every(({ background, cancelRequests }) => background && cancelRequests === 0)).toBe(true);
  expect(simulator.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/agent')).toHaveLength(runs);
  expect(simulator.requests.filter(({ path }) => path.endsWith('/cancel'))).toEqual([]);
}

const LIFE: AgentApiSimulatorOptions = { scenario: 'search', eventDelay: 30 };
const UNICODE =
  'Das Leuchtfeuer „Rotersand“ – 28 m hoch, 灯台, 🗼🗼 – steht seit 1885. Es brennt … nicht mehr. '.repeat(3);

type Case = { name: string; kills: string[]; options?: AgentApiSimulatorOptions; torn?: boolean };
const CASES: Case[] = [
  { name: 'before it has asked', kills: ['"question"'] },
  { name: 'in its very first line', kills: ['"question"'], torn: true },
  { name: 'as soon as the id is stored', kills: [ID] },
  { name: 'while the model chooses what to search', kills: [atEvent(1)] },
  { name: 'between the query and its results', kills: [atEvent(4)], torn: true },
  { name: 'when sources are stored', kills: [SOURCES] },
  { name: 'at the first word', kills: [atEvent(8)] },
  { name: 'in mid-text', kills: [atEvent(25)] },
  { name: 'in mid-text, its last line half written', kills: [atEvent(40)], torn: true },
  { name: 'at the last word', kills: [atEvent(59)] },
  { name: 'just before the end', kills: [atEvent(61)], torn: true },
  { name: 'when the end is stored and not yet printed', kills: ['"end"'] },
  { name: 'in the line of the end', kills: ['"end"'], torn: true },
  { name: 'twice', kills: [atEvent(5), atEvent(33)] },
  {
    name: 'five times, each time in the middle of a line',
    kills: [atEvent(3), SOURCES, atEvent(20), atEvent(40), atEvent(70)],
    options: { scenario: 'parallel-searches', eventDelay: 60 },
    torn: true,
  },
  {
    name: 'in a text of many bytes per letter, in the middle of a line',
    kills: [atEvent(9), atEvent(35)],
    options: { scenario: { name: 'plain', text: UNICODE }, eventDelay: 40 },
    torn: true,
  },
  {
    name: 'while its connection breaks as well, and events come twice',
    kills: [atEvent(20), atEvent(45)],
    options: {
      ...LIFE,
      eventDelay: 50,
      faults: [
        { on: 'stream', fault: 'reset', afterEvents: 12, halfEvent: true },
        { on: 'reconnect', fault: 'duplicate', events: 3, times: 3 },
        { on: 'reconnect', fault: 'close', afterEvents: 30 },
      ],
    },
  },
];

describe('resume, killed', () => {
  it.concurrent.each(CASES)('$name', async ({ kills, options = LIFE, torn = false }) => {
    await withServer(options, async (server) => {
      const store = newStore();
      for (const moment of kills) await killed(server, store, moment, torn);
      await expectWhole(server, store, await worker(server, ['--store', store]));
    });
  });

  it.concurrent.each([
    ['when the events of its place are gone', { replayWindow: 4 }],
    ['when the events of all places are gone', { replayTime: 0 }],
  ])('in mid-text, %s', async (_, background) => {
    await withServer({ ...LIFE, background }, async (server) => {
      const store = newStore();
      await killed(server, store, atEvent(30));
      await expect.poll(() => server.simulator.runs[0]?.status, { timeout: 10_000 }).toBe('completed');
      const last = await worker(server, ['--store', store]);
      await expectWhole(server, store, last);
      expect(linesOf(store).filter(({ restarted }) => restarted === true)).toHaveLength(1);
    });
  });

  it.concurrent('before it could know the id of its run: it says so and asks again', async () => {
    await withServer({ ...LIFE, background: { queueTime: 1000 } }, async (server) => {
      const store = newStore();
      let timer: NodeJS.Timeout | undefined;
      const first = await worker(server, ['--store', store], {
        onStart: (kill) => {
          timer = setInterval(() => void (server.simulator.runs.length > 0 && kill('SIGKILL')), 2);
        },
      });
      clearInterval(timer);
      expect(first.code).toBe(null);
      const last = await worker(server, ['--store', store]);
      expect(last.stderr).toContain('asked (and perhaps billed) once more');
      await expectWhole(server, store, last, 2);
    });
  });

  it.concurrent('in a run that fails: the text so far and the failure are kept', async () => {
    await withServer({ scenario: 'failed', eventDelay: 30 }, async (server) => {
      const store = newStore();
      await killed(server, store, TEXT);
      const { code, stdout, stderr } = await worker(server, ['--store', store]);
      expect({ code, text: readPrinted(stdout).text }).toEqual({ code: 1, text: (await wireOf(server)).text });
      expect(stderr.match(/The answer is not complete: upstream unavailable/g)).toHaveLength(1);
      const { length } = server.simulator.requests;
      expect(await worker(server, ['--store', store])).toMatchObject({ code: 1, stdout });
      expect(server.simulator.requests).toHaveLength(length);
      expect(server.simulator.runs).toHaveLength(1);
    });
  });
});

describe('resume', () => {
  it.concurrent('prints a stored answer without a request, and keeps to the question of its store', async () => {
    await withServer({ scenario: 'search' }, async (server) => {
      const store = newStore();
      const first = await worker(server, ['--store', store, 'Who keeps the lights?']);
      await expectWhole(server, store, first);
      expect(JSON.stringify(server.simulator.requests[0]?.body)).toContain('Who keeps the lights?');
      const { length } = server.simulator.requests;
      const [same, other] = await Promise.all([
        worker(server, ['--store', store, 'Who', 'keeps', 'the', 'lights?']),
        worker(server, ['--store', store, 'Why?']),
      ]);
      expect(same).toEqual({ code: 0, stdout: first.stdout, stderr: '' });
      expect(other).toMatchObject({ code: 2, stdout: '' });
      expect(other.stderr).toContain('belongs to another question: Who keeps the lights?');
      expect(server.simulator.requests).toHaveLength(length);
      // The line with the end was half written.
      tear(store);
      expect(await worker(server, ['--store', store])).toMatchObject({ code: 0, stdout: first.stdout });
      expect(server.simulator.runs).toHaveLength(1);
    });
  });

  it.concurrent('loses nothing when the service refuses to go on', async () => {
    await withServer({ ...LIFE, apiKey: 'test-key' }, async (server) => {
      const store = newStore();
      await killed(server, store, atEvent(20));
      const before = readFileSync(store, 'utf8');
      const refused = { ...server, env: { ...server.env, PERPLEXITY_API_KEY: 'expired-key' } };
      const failed = await worker(refused, ['--store', store]);
      expect(failed).toMatchObject({ code: 1, stdout: '' });
      expect(failed.stderr).toContain(`a new start goes on from there: --store ${store}`);
      expect(readFileSync(store, 'utf8')).toBe(before);
      await expectWhole(server, store, await worker(server, ['--store', store]));
    });
  });

  it.concurrent('kills itself and finishes in a new process: npm run example -- resume', async () => {
    const { code, stdout, stderr } = await runNode(['scripts/example.mjs', 'resume']);
    expect(code).toBe(0);
    expect(stderr.match(/The process was killed/g)).toHaveLength(1);
    expect(stderr.match(/Going on with resp_/g)).toHaveLength(1);
    const { text, urls, ending } = readPrinted(stdout);
    expect(text).toMatch(/^Lighthouses on this coast have been unmanned since .* did so from 1912 \[web:3\]\.$/);
    expect(urls).toHaveLength(10);
    expect(ending).toBe('stop, $0.00262');
  });

  it.concurrent('kills itself where it is told to, and asks once in all', async () => {
    await withServer(LIFE, async (server) => {
      const { code, stdout, stderr } = await worker(server, ['--kill-after', '40', 'Why', 'is it lit?']);
      const wire = await wireOf(server);
      expect({ code, text: readPrinted(stdout).text }).toEqual({ code: 0, text: wire.text });
      expect(stderr).toContain('The process was killed');
      expect(JSON.stringify(server.simulator.requests[0]?.body)).toContain('Why is it lit?');
      expect(server.simulator.runs).toMatchObject([{ status: 'completed', cancelRequests: 0 }]);
    });
  });
});
