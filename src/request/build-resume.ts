/** One call of the AI SDK on a run that exists already: what of its options still means something. */
import { parseProviderOptions, type ParsedOptions } from '../options.js';
import type { CoreCallOptions, CoreWarning, ToolTable } from '../spec.js';
import { prepareTools } from './prepare-tools.js';
import { secretsIn } from './secrets.js';
import { createWarnings } from './warnings.js';
import { unsupported } from './unsupported.js';

export type BuiltResume = {
  warnings: CoreWarning[];
  perplexity: ParsedOptions;
  tools: ToolTable;
  /** Values that must not surface in an error or in metadata (design decision 20). */
  secrets: string[];
};

/** What shapes an answer shaped this one when its run began. */
const SETTINGS = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'stopSequences',
  'presencePenalty',
  'frequencyPenalty',
] as const satisfies readonly (keyof CoreCallOptions)[];

/** The options that say how a run is read. */
const READING: ReadonlySet<string> = new Set([
  'background',
  'cancelOnAbort',
  'idleTimeout',
  'maxReconnects',
  'researchProgress',
]);

/** Throws InvalidArgumentError for a bad option, UnsupportedFunctionalityError for the results of tools. */
export function buildResume(callOptions: CoreCallOptions): BuiltResume {
  refuseToolResults(callOptions);
  const perplexity = parseProviderOptions(callOptions.providerOptions);
  const warnings = createWarnings();
  const settings = SETTINGS.filter((setting) => (callOptions[setting] ?? undefined) !== undefined);
  const given = Object.keys(callOptions.providerOptions?.['perplexity'] ?? {});
  const options = given.filter((name) => !READING.has(name)).map((name) => `providerOptions.perplexity.${name}`);
  const { reasoning, toolChoice } = callOptions;
  const choices = [
    ...(reasoning !== undefined && reasoning !== 'provider-default' ? ['reasoning'] : []),
    // The AI SDK sends `auto` whenever there are tools, and `none` says that no calls are to come out.
    ...(toolChoice?.type === 'required' || toolChoice?.type === 'tool' ? ['toolChoice'] : []),
  ];
  const idle = [...settings, ...choices, ...options];
  if (idle.length > 0) {
    warnings.other(
      `A run that is resumed was shaped when it began: ${idle.join(', ')} ${idle.length > 1 ? 'have' : 'has'} no effect.`,
    );
  }
  // The tools tell whose calls are whose; nothing is sent, so what is wrong with sending them is no matter.
  const { table, tools } = prepareTools({
    tools: callOptions.tools,
    toolChoice: callOptions.toolChoice,
    options: parseProviderOptions(undefined),
    isAgent: true,
    level: undefined,
    warnings: createWarnings(),
  });
  return { warnings: warnings.list, perplexity, tools: table, secrets: secretsIn(tools) };
}

/** In a loop of steps the same run would ask for the same call again, and the tool would run with every step. */
function refuseToolResults({ prompt }: CoreCallOptions): void {
  if (!Array.isArray(prompt) || prompt.at(-1)?.role !== 'tool') return;
  throw unsupported(
    'tool results on resume',
    'A run that is resumed takes no results of tools, since it has ended with its calls. ' +
      'Give the messages with the results to the model that began it.',
  );
}
