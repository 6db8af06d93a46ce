/**
 * Asks Perplexity a question and shows the answer as it comes, its sources, and what it cost. `npm start -- --help`
 *
 * The parts: `ask/arguments.ts` reads the command line, `ask/provider.ts` chooses between the live API and the simulator,
 * `ask/collect.ts` reads the stream, `ask/format.ts` makes the text.
 */
import { readFileSync } from 'node:fs';
import { streamText } from 'ai';
import { HELP, readArguments, UsageError, type AskArguments } from './ask/arguments.js';
import { collect, type Answer } from './ask/collect.js';
import { errorLine, summary } from './ask/format.js';
import { printable } from './ask/printable.js';
import { chooseProvider } from './ask/provider.js';

const print = (text: string) => void process.stdout.write(text);
const note = (text: string) => void process.stderr.write(`${printable(text)}\n`);

process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  try {
    const args = readArguments(argv);
    if (args.help) {
      print(HELP);
      return 0;
    }
    const { provider, notice } = chooseProvider(args.replay === undefined ? undefined : readRecording(args.replay));
    if (notice !== undefined) note(notice);
    return await ask(args, provider);
  } catch (error) {
    note(errorLine(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function ask(args: AskArguments, provider: ReturnType<typeof chooseProvider>['provider']): Promise<number> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());

  const result = streamText({
    model: provider(args.modelId),
    prompt: args.question,
    abortSignal: interrupt.signal,
    ...(args.effort !== undefined && { providerOptions: { perplexity: { effort: args.effort } } }),
    // Errors come as parts of the stream too; without this the AI SDK would also print them.
    onError: () => undefined,
  });
  const answer = await collect(result.fullStream, args.json ? {} : printing());
  if (args.json) print(`${JSON.stringify(toJson(answer), null, 2)}\n`);
  else if (!answer.aborted) print(printable(summary(answer)));
  if (answer.aborted) {
    note('Stopped.');
    return 130;
  }
  if (answer.error === undefined) return 0;
  note(errorLine(answer.error));
  return 1;
}

/** Shows progress dimmed on a terminal, and the answer as it is. */
function printing() {
  const dims = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
  return {
    onProgress(text: string) {
      const shown = printable(text);
      print(dims ? `\u001b[2m${shown}\u001b[22m` : shown);
    },
    onText: (text: string) => print(printable(text)),
  };
}

function readRecording(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--replay: cannot read ${file}`);
  }
}

function toJson({ error, aborted, ...answer }: Answer) {
  return {
    ...answer,
    ...(aborted && { aborted }),
    ...(error !== undefined && { error: { message: errorLine(error) } }),
  };
}
