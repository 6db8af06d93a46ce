/** The command line of `npm start`. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export type AskArguments = {
  question: string;
  /** A model, or an effort level. */
  modelId: string;
  /** A level that goes with a model id; as an option, since the model id is taken. */
  effort: string | undefined;
  /** A recorded stream, as an absolute path. */
  replay: string | undefined;
  json: boolean;
  help: boolean;
};

/** The command was not called as it wants to be; the message names the option. */
export class UsageError extends Error {}

const DEFAULT_QUESTION = 'What changed in the latest release of Node.js?';
const DEFAULT_LEVEL = 'fast';

export const HELP = `Usage: npm start -- [question] [options]

Asks Perplexity's Agent API through the AI SDK. With PERPLEXITY_API_KEY set the answer is live and billed;
without it a built-in simulator makes one up.

Options:
  --model <id>      model such as openai/gpt-6-luna (default: effort level ${DEFAULT_LEVEL})
  --effort <level>  fast, low, medium, high, xhigh or ultra; with --model the level's tools and that model
  --replay <file>   play a recorded stream, one JSON event per line, in the simulator
  --json            print one JSON object and nothing else (npm adds lines of its own: npm start --silent -- --json)
  --help            print this

Exit code: 0 answered, 1 failed, 2 wrong arguments, 130 stopped with Ctrl-C.
`;

/** Throws UsageError. */
export function readArguments(argv: string[]): AskArguments {
  const { values, positionals } = parse(argv);
  const { model, effort, replay, json = false, help = false } = values;
  for (const [name, value] of Object.entries({ model, effort, replay })) {
    if (value?.trim() === '') throw new UsageError(`--${name} needs a value`);
  }
  if (effort?.includes('/')) throw new UsageError(`--effort takes a level such as low; ${effort} belongs to --model`);
  return {
    question: positionals.join(' ').trim() || DEFAULT_QUESTION,
    modelId: model ?? effort ?? DEFAULT_LEVEL,
    effort: model === undefined ? undefined : effort,
    // npm runs scripts in the project's folder and says where it was called from.
    replay: replay === undefined ? undefined : resolve(process.env.INIT_CWD ?? '', replay),
    json,
    help,
  };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        model: { type: 'string' },
        effort: { type: 'string' },
        replay: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)} (--help lists the options)`);
  }
}
