/**
 * An answer that survives the death of its process: the run goes on at Perplexity, each of its events goes into a file, and
 * whoever opens the file next goes on after the last one.
 *
 *   npm run example -- resume                                   # asks, kills itself in mid-answer, finishes in a new process
 *   npm run example -- resume --store run.jsonl "Why is the sky blue?"      # asks, or goes on, or prints what is there
 *
 * `--kill-after <n>` kills the process (SIGKILL) at the n-th piece of text. The second form survives with a key, or with a
 * simulator behind PERPLEXITY_BASE_URL: the one that `npm run example` brings along ends with the command.
 */
import {
  perplexityAgent,
  totalCost,
  type PerplexityAgentMetadata,
  type PerplexityAgentTextMetadata,
} from 'ai-sdk-provider-perplexity-agent';
import { streamText } from 'ai';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStore, type Line, type Store } from './resume/store.js';

const note = (text: string) => void process.stderr.write(`${text}\n`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { store: { type: 'string' }, 'kill-after': { type: 'string' } },
});
const question = positionals.length > 0 ? positionals.join(' ') : undefined;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

process.exitCode = await (values.store === undefined ? demonstrate() : work(values.store));

/** Asks the question, or goes on where the store ends; prints the answer when all of it is there. */
async function work(file: string): Promise<number> {
  const store = openStore(file);
  try {
    if (question !== undefined && question !== (store.question ?? question)) {
      note(`${file} belongs to another question: ${store.question}`);
      return 2;
    }
    if (store.end === undefined) await readOn(store);
    return print(store);
  } catch (error) {
    note(`${messageOf(error)}\nWhat has come is kept, and a new start goes on from there: --store ${file}`);
    return 1;
  } finally {
    store.close();
  }
}

/** Reads the run to its end. Throws where that cannot be: the run goes on, and the next start goes on with it. */
async function readOn(store: Store): Promise<void> {
  const { responseId, lastEvent } = store;
  let model = perplexityAgent('low');
  if (responseId !== undefined) {
    note(`Going on with ${responseId} after ${lastEvent === undefined ? 'nothing' : `event ${lastEvent}`}.`);
    model = perplexityAgent.resume(responseId, { startingAfter: lastEvent });
  } else if (store.question !== undefined) {
    // The one gap: the API has no way to find a run whose id nobody knows.
    note(
      'The last start ended before it knew the id of a run, so the question is asked (and perhaps billed) once more.',
    );
  } else {
    store.append({ question: question ?? 'When were lighthouses automated?' });
  }

  const result = streamText({
    model,
    prompt: store.question ?? '', // a resumed run has its prompt and takes no notice of this one
    providerOptions: { perplexity: { background: true, cancelOnAbort: false } },
    includeRawChunks: true,
    onError: () => {}, // thrown below, as a part of the stream
  });

  // What came since the last numbered event. It is stored when the next one begins, since only then all of it is here.
  let line: Line = {};
  let failure: unknown;
  let pieces = 0;
  for await (const part of result.fullStream) {
    if (part.type === 'raw') {
      const event = (part.rawValue as { sequence_number?: number } | undefined)?.sequence_number;
      // An answer to the question where the run stands has no number: it waits with the rest, so that no place is passed.
      if (event === undefined) continue;
      if (line.event !== undefined) {
        store.append(line);
        line = {};
      }
      line.event = event;
      continue;
    }
    const metadata = metadataOf(part);
    if (metadata.responseId !== undefined && store.responseId === undefined) {
      store.append({ responseId: metadata.responseId }); // at once: without it the run could not be found again
      note(`The run is ${metadata.responseId}.`);
    }
    // Too late to go on after `lastEvent`: the whole answer comes again, and replaces what is stored.
    if (metadata.restarted === true) line.restarted = true;

    switch (part.type) {
      case 'text-delta':
        (line.texts ??= []).push({ block: part.id, text: part.text });
        process.stderr.write(part.text);
        pieces += 1;
        if (pieces === Number(values['kill-after'])) process.kill(process.pid, 'SIGKILL');
        break;
      case 'text-end':
        // Rare: what was streamed turned out to be wrong.
        if (metadata.correctedText === undefined) break;
        (line.texts ??= []).push({ block: part.id, text: metadata.correctedText, isWhole: true });
        break;
      case 'source':
        if (part.sourceType !== 'url') break;
        (line.sources ??= []).push({ url: part.url, ...(part.title !== undefined && { title: part.title }) });
        break;
      case 'error':
        failure = part.error;
        break;
      case 'finish-step': {
        const { status } = metadata;
        // Losing touch with a run is not its end: what is not stored yet comes again at the next start.
        if (failure !== undefined && status !== 'failed' && status !== 'cancelled') break;
        const costInUsd = totalCost(part).totalCost;
        line.end = {
          finishReason: part.finishReason,
          ...(costInUsd !== undefined && { costInUsd }),
          ...(failure !== undefined && { error: messageOf(failure) }),
        };
        store.append(line);
        break;
      }
    }
  }
  process.stderr.write('\n');
  if (store.end === undefined) throw failure ?? new Error('the stream ended before the run did');
}

/** What the package says of a part. Which fields there are depends on the part; all parts but deltas name the run. */
function metadataOf(part: object): Partial<PerplexityAgentMetadata & PerplexityAgentTextMetadata> {
  const { providerMetadata } = part as { providerMetadata?: { perplexity?: object } };
  return providerMetadata?.perplexity ?? {};
}

function print({ text, sources, end }: Store): number {
  console.log(`${text}\n\n${sources.length} sources:`);
  for (const { url, title } of sources) console.log(`- ${title ?? url} ${url}`);
  console.log(`\n${end?.finishReason}, $${end?.costInUsd ?? '?'}`);
  if (end?.error === undefined) return 0;
  note(`The answer is not complete: ${end.error}`);
  return 1;
}

/** Starts this program as a process that kills itself, and then as one that finishes. */
async function demonstrate(): Promise<number> {
  const store = join(mkdtempSync(join(tmpdir(), 'resume-')), 'run.jsonl');
  const asked = question === undefined ? [] : [question];
  const first = await start('--store', store, '--kill-after', values['kill-after'] ?? '12', ...asked);
  if (first.signal === 'SIGKILL') note('\n\nThe process was killed. A new one:');
  const last = first.signal === 'SIGKILL' ? await start('--store', store) : first;
  if (last.code === 0) rmSync(dirname(store), { recursive: true });
  else note(`The run can be taken up again: --store ${store}`);
  return last.code ?? 1;
}

function start(...args: string[]): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const program = [...process.execArgv, fileURLToPath(import.meta.url), ...args];
  const child = spawn(process.execPath, program, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
