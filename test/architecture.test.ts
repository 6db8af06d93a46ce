/** Holds the sources against the layout that the design fixes: who may import whom, how large a file may grow. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const src = join(root, 'src');

type Import = { target: string; isType: boolean; text: string };
type Source = { path: string; code: string; lines: number; imports: Import[] };

const sources = readdirSync(src, { recursive: true })
  .map((name) => String(name).replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .map(readSource);

function readSource(path: string): Source {
  const text = readFileSync(join(src, path), 'utf8');
  // Comments may show imports and calls; strings that look like comments do not occur before code on a line.
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  return { path, code, lines: text.trimEnd().split('\n').length, imports: importsOf(path, code) };
}

function importsOf(path: string, code: string): Import[] {
  const statements = code.matchAll(/^(?:import|export)\s+(?:(type)\s+)?(?:[\w*{][^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const dynamic = code.matchAll(/\bimport\(\s*()'([^']+)'/g);
  return [...statements, ...dynamic].map(([text, type, specifier = '']) => ({
    target: specifier.startsWith('.') ? resolved(path, specifier) : specifier,
    isType: type === 'type',
    text,
  }));
}

/** The imported file, from `src` as its path. */
function resolved(path: string, specifier: string): string {
  const file = relative(src, join(src, dirname(path), specifier));
  return file.replaceAll('\\', '/').replace(/\.js$/, '.ts');
}

const isOurs = ({ target }: Import) => target.endsWith('.ts');

/** The station that a file belongs to: its folder, or its own name at the top. */
const stationOf = (path: string) => path.split('/')[0]?.replace(/\.ts$/, '') ?? '';

/** What everything may import, the simulator excepted. */
const SHARED = ['spec', 'json', 'errors', 'redact', 'refusals'];

/** Design §3, and what follows from it: station → stations, or single files of them. */
const MAY_IMPORT: Record<string, string[]> = {
  index: ['provider', 'faces', 'citations', 'cost', 'version'],
  v3: ['provider', 'faces', 'citations', 'cost', 'version'],
  v4: ['provider', 'faces', 'citations', 'cost', 'version'],
  provider: ['model', 'model-list', 'runs', 'tools', 'wire', 'request/target.ts', 'version'],
  model: ['request', 'stream', 'runs', 'wire'],
  'model-list': ['wire'],
  options: ['tools'],
  request: ['tools', 'options'],
  stream: ['tools', 'citations'],
  runs: ['wire', 'stream'],
  faces: [],
  wire: [],
  tools: [],
  citations: [],
  cost: [],
  errors: [],
  redact: [],
  refusals: [],
  json: [],
  spec: [],
  version: [],
};

/** Where only a type may be taken. An entry exports the types of all of the package. */
const MAY_IMPORT_TYPES: Record<string, string[]> = {
  index: ['options', 'request/target.ts', 'stream/metadata.ts', 'tools', 'model', 'model-list', 'wire', 'runs'],
  v3: ['options', 'request/target.ts', 'stream/metadata.ts', 'tools', 'model', 'model-list', 'wire', 'runs'],
  v4: ['options', 'request/target.ts', 'stream/metadata.ts', 'tools', 'model', 'model-list', 'wire', 'runs'],
  options: ['request/model-ids.ts'],
  cost: ['stream/metadata.ts'],
  request: ['wire/request-types.ts'],
  stream: ['wire'],
  faces: ['model'],
  model: ['options'],
};

/** Provider packages of ai 6 and 7, for their types only: these are inlined when the package is built. */
const V3_TYPES = 'ai-sdk-provider-v3';
const V4_TYPES = 'ai-sdk-provider-v4';

const PACKAGES: Record<string, string[]> = {
  wire: ['eventsource-parser'],
  tools: ['zod/v4/core'],
  faces: [V3_TYPES, V4_TYPES],
  v3: [V3_TYPES],
  v4: [V4_TYPES],
};

/** The stations of the library; the simulator stands apart. */
const library = sources.filter(({ path }) => stationOf(path) !== 'simulator');
const simulator = sources.filter(({ path }) => stationOf(path) === 'simulator');

function isAllowed(path: string, entry: Import): boolean {
  const from = stationOf(path);
  const to = stationOf(entry.target);
  if (from === to || SHARED.includes(to)) return true;
  const allowed = [...(MAY_IMPORT[from] ?? []), ...(entry.isType ? (MAY_IMPORT_TYPES[from] ?? []) : [])];
  return allowed.includes(to) || allowed.includes(entry.target);
}

describe('who imports whom', () => {
  it('reads all files and finds their imports', () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(sources.find(({ path }) => path === 'model.ts')?.imports.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['request/build-request.ts', 'stream/event-mapper.ts', 'wire/transport.ts']),
    );
  });

  it('knows every station', () => {
    const stations = new Set(library.map(({ path }) => stationOf(path)));
    for (const station of stations) expect(Object.keys(MAY_IMPORT)).toContain(station);
  });

  it('keeps to the table of the design', () => {
    const wrong = library.flatMap(({ path, imports }) =>
      imports
        .filter(isOurs)
        .filter((entry) => !isAllowed(path, entry))
        .map(({ target, isType }) => `${path} → ${isType ? 'type ' : ''}${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('lets request and stream meet in model.ts only', () => {
    const meeting = library.filter(({ imports }) => {
      const stations = imports.filter(({ isType }) => !isType).map(({ target }) => stationOf(target));
      return stations.includes('request') && stations.includes('stream');
    });
    expect(meeting.map(({ path }) => path)).toEqual(['model.ts']);
  });

  it('has no cycles', () => {
    const edges = new Map(
      sources.map(({ path, imports }) => [path, imports.filter(isOurs).map(({ target }) => target)]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      if (done.has(path) || trail.includes(path)) return;
      for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of edges.keys()) visit(path, []);
    expect(cycles).toEqual([]);
  });

  it('names no file that is not there', () => {
    const paths = new Set(sources.map(({ path }) => path));
    const missing = sources.flatMap(({ imports }) => imports.filter(isOurs).filter(({ target }) => !paths.has(target)));
    expect(missing).toEqual([]);
  });

  it('keeps the simulator apart, so that a mistake cannot agree with itself', () => {
    const outside = simulator.flatMap(({ path, imports }) =>
      imports.filter(({ target }) => !target.startsWith('simulator/')).map(({ target }) => `${path} → ${target}`),
    );
    expect(outside).toEqual(['simulator/node.ts → node:http', 'simulator/node.ts → node:net']);
    const inward = library.flatMap(({ imports }) => imports.filter(({ target }) => target.startsWith('simulator/')));
    expect(inward).toEqual([]);
  });
});

describe('packages', () => {
  const packagesOf = ({ imports }: Source) => imports.filter((entry) => !isOurs(entry));

  it('uses the declared ones, where they belong', () => {
    const everywhere = ['@ai-sdk/provider', '@ai-sdk/provider-utils'];
    const wrong = library.flatMap((source) =>
      packagesOf(source)
        .filter(({ target }) => ![...everywhere, ...(PACKAGES[stationOf(source.path)] ?? [])].includes(target))
        .map(({ target }) => `${source.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('takes nothing but types from the provider packages of later majors', () => {
    const imports = library.flatMap(packagesOf).filter(({ target }) => target === V3_TYPES || target === V4_TYPES);
    expect(imports).toHaveLength(6);
    for (const { isType } of imports) expect(isType).toBe(true);
  });

  it('gives tools nothing but zod, @ai-sdk/provider, json, redact and refusals', () => {
    const targets = library
      .filter(({ path }) => stationOf(path) === 'tools')
      .flatMap(({ imports }) => imports.map(({ target }) => target))
      .filter((target) => !target.startsWith('tools/'));
    const allowed = ['zod/v4/core', '@ai-sdk/provider', 'json.ts', 'redact.ts', 'refusals.ts'];
    expect(targets.filter((target) => !allowed.includes(target))).toEqual([]);
  });

  it('imports nothing of zod but its core: the rest of it is eight times as large', () => {
    const zod = sources.flatMap((source) => packagesOf(source).filter(({ target }) => target.startsWith('zod')));
    expect(zod.length).toBeGreaterThan(0);
    for (const { text } of zod) expect(text).toMatch(/^import (?:type )?\* as z from 'zod\/v4\/core'$/);
  });

  it('runs without Node: globals of it are not named', () => {
    const named = library.filter(({ code }) => /\b(?:process|Buffer|__dirname|require)\b\s*[.([]/.test(code));
    expect(named.map(({ path }) => path)).toEqual([]);
  });
});

describe('files', () => {
  it.each(sources)('$path is short and quiet', ({ code, lines }) => {
    expect(lines).toBeLessThanOrEqual(320);
    expect(code).not.toMatch(/\bconsole\s*\./);
    expect(code).not.toMatch(/\bas any\b|:\s*any\b|<any>/);
    expect(code).not.toMatch(/@ts-ignore|@ts-nocheck/);
  });
});

describe('the public surface', () => {
  const OF_EACH_FACE = [
    'VERSION',
    'createPerplexityAgent',
    'linkCitations',
    'linkCitationsTransform',
    'perplexityAgent',
    'splitCitations',
    'totalCost',
  ];
  const SURFACE: Record<string, string[]> = {
    '.': OF_EACH_FACE,
    './v3': OF_EACH_FACE,
    './v4': OF_EACH_FACE,
    './simulator': ['createAgentApiSimulator', 'parseRecording'],
    './simulator/node': ['listen'],
  };
  const ENTRIES: Record<string, () => Promise<object>> = {
    '.': () => import('ai-sdk-provider-perplexity-agent'),
    './v3': () => import('ai-sdk-provider-perplexity-agent/v3'),
    './v4': () => import('ai-sdk-provider-perplexity-agent/v4'),
    './simulator': () => import('ai-sdk-provider-perplexity-agent/simulator'),
    './simulator/node': () => import('ai-sdk-provider-perplexity-agent/simulator/node'),
  };

  it('is written down for every entry', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object };
    expect(Object.keys(exports).filter((entry) => entry !== './package.json')).toEqual(Object.keys(SURFACE));
  });

  it('has the same types in the entry of each face', () => {
    const exported = (path: string) => {
      const code = sources.find((source) => source.path === path)?.code ?? '';
      return code.slice(code.indexOf('export { totalCost'));
    };
    expect(exported('index.ts')).toContain('PerplexityAgentMetadata');
    expect(exported('v3.ts')).toBe(exported('index.ts'));
    expect(exported('v4.ts')).toBe(exported('index.ts'));
  });

  it.each(Object.entries(SURFACE))('of %s is what it was', async (entry, names) => {
    expect(new Set(Object.keys((await ENTRIES[entry]?.()) ?? {}))).toEqual(new Set(names));
  });
});
