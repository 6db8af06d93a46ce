/** Options of one call, `providerOptions.perplexity`: the documented type and its strict schema. */
import type { JSONValue } from '@ai-sdk/provider';

import { asObject } from './json.js';
import type { PerplexityAgentEffort, PerplexityAgentModel } from './request/model-ids.js';
import { complaint, invalid, reading } from './refusals.js';
import {
  boolean,
  type Check,
  entriesOf,
  further,
  integer,
  listOf,
  oneOf,
  rule,
  strict,
  text,
  textSuchAs,
} from './tools/checks.js';
import { checkFetchUrlArgs, type FetchUrlArgs } from './tools/fetch-url.js';
import { refuseFormerOptions } from './tools/former-options.js';
import { checkSkills, type PerplexityAgentSkill } from './tools/skills.js';
import { checkWebSearchArgs, type WebSearchArgs } from './tools/web-search.js';

/**
 * `providerOptions.perplexity`. Everything is optional. An unknown key, a null or a value outside its limits throws
 * InvalidArgumentError before anything is sent. The AI SDK takes JSON here, so dates are texts, and a key that may be
 * undefined does not compile (at run time it counts as absent). Facts and limits: `agent-api.md` §2.1
 * unless another section is named.
 */
export type PerplexityAgentProviderOptions = {
  /**
   * Effort level: how much research goes into the answer. `'fast'` to `'ultra'`, pinned as `'fast@2026-10-16.0'`, or a
   * preset of old. Wins over a level given as model id; together with a model id both are sent: the model changes, the
   * level's tools stay. Default: none. A higher level takes longer and costs more. Not together with `profile`. A
   * Sonar name throws NoSuchModelError. (§2.3)
   */
  effort?: PerplexityAgentEffort;
  /**
   * Web search. Default: on for a plain model, unless `toolChoice` is `required`, `none` or a tool; a level or profile
   * brings its own tools. `true` sends the tool, an object sends it with settings, `false` leaves it out, which does
   * not stop a level or profile from searching (a warning says so; `maxToolCalls: 0` does). A declared web search tool
   * is sent whatever this says. Each search is billed. (§3.1)
   */
  webSearch?: boolean | WebSearchArgs<string>;
  /** Reading of web pages, like `webSearch`, but off by default. Fetched pages are billed by call and token. (§3.3) */
  fetchUrl?: boolean | FetchUrlArgs;
  /**
   * 1–5 ids `'provider/model'`, tried in order until one serves; only that one is billed. The model's own id is then
   * not sent. Default: none.
   */
  models?: PerplexityAgentModel[];
  /**
   * A configuration that your organisation saved: `id` of 1–128 characters, `version` omitted = the latest. Other
   * options override it. Not together with an effort level. Default: none.
   */
  profile?: { type?: 'custom'; id: string; version?: string };
  /**
   * Up to 16 skills that the model may load. Any skill turns the sandbox on, which is billed. Default: the level's
   * own. (§3.9)
   */
  skills?: PerplexityAgentSkill[];
  /**
   * Turns of the model, 1–100; one may hold several tool calls. Default: 1 for a plain model, else the level's. At the
   * limit the agent answers with what it has.
   */
  maxSteps?: number;
  /**
   * Tool calls in all, 0 or more. `0` switches every tool off and is the only way to stop a level or profile from
   * searching. Default: no limit of ours.
   */
  maxToolCalls?: number;
  /** Whether one turn may hold several tool calls. Default of the API: true. */
  parallelToolCalls?: boolean;
  /**
   * How much a reasoning model thinks; not the same as `effort`. Wins over the AI SDK's `reasoning` setting. Default:
   * the model's or level's own.
   */
  reasoningEffort?: 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** Preferred language of the answer, two lower-case letters of ISO 639-1: `'pt'`. Default: none. */
  languagePreference?: string;
  /**
   * Id of a completed response of your account to continue from; then only the new messages are sent. A response that
   * is not found is answered with a bare 400: send the whole history without this option instead. (§8.3)
   */
  previousResponseId?: string;
  /**
   * `false` hides the response from later retrieval; it can still be continued from. Not a control of how long
   * Perplexity keeps data. Default of the API: true.
   */
  store?: boolean;
  /**
   * Runs in the background at Perplexity, where the run outlives its connection. A call that does not stream submits the run
   * and polls until it has ended; a stream that drops is taken up again where it was, and `resume` does so from any process.
   * `true`, or how to wait, in ms: `pollInterval` until the first poll (default 1,000; the waits grow to 10,000, with
   * jitter, and as long as the API asks), `timeout` for the whole run (default 3,600,000), after which the call fails and the
   * run goes on. Not together with `store: false`. Default: false. (§10)
   */
  background?: boolean | { pollInterval?: number; timeout?: number };
  /**
   * Whether an abort also cancels the run at Perplexity, as far as that works, so that billing stops. With `false` it
   * only stops reading, and `resume` can take the run up again. Default: true.
   */
  cancelOnAbort?: boolean;
  /**
   * Longest silence of a stream, in ms, up to 2,147,483,647; keep-alives count as life. After it the connection counts as
   * lost: a run in the background is taken up again, any other fails, and is cancelled as after an abort. Default: no
   * limit. Below several minutes it may cut long research. (§14, no. 26)
   */
  idleTimeout?: number;
  /**
   * How often in a row a run in the background is asked for again without anything new, 0 or more; with growing waits from
   * half a second to 8 s. Then the call fails, and the run goes on. Default: 5. Without `background` it has no effect, and
   * a warning says so.
   */
  maxReconnects?: number;
  /** Up to 16 pairs of texts to keep with the response; key up to 64 characters, value up to 512. */
  metadata?: Record<string, string>;
  /** Whether a too long input is cut (`'auto'`) or refused (`'disabled'`). Default: the API's. */
  truncation?: 'auto' | 'disabled';
  /** Processing tier. `'priority'` doubles the price. Default: the API's. */
  serviceTier?: 'default' | 'priority' | (string & {});
  /** Key by which prompts share a cache. Wins over the stable key that a level sets itself. Default: none. */
  promptCacheKey?: string;
  /** Your name for the end user. Default: none. */
  user?: string;
  /** Stable, anonymous id of the end user, for abuse reports. Default: none. */
  safetyIdentifier?: string;
  /** Whether structured output must follow its schema strictly. Default: true. (§2.5) */
  strictJsonSchema?: boolean;
  /**
   * Where system messages go: joined into `instructions`, which replace a level's own prompt, or as system messages of
   * the input, which do not. With `'instructions'` an empty system message clears the level's prompt. Default:
   * `'instructions'` for a plain model, `'input'` for a level or profile. (§2.3)
   */
  systemMessageMode?: 'instructions' | 'input';
  /** Whether searches and visited pages are shown as reasoning while the research runs. Default: `'reasoning'`. */
  researchProgress?: 'reasoning' | 'off';
  /**
   * Fields of the request that are newer than this package, by their wire names, put into the body last. A field that
   * is there already is replaced, with a warning. `input`, `stream` and `background` throw. The API answers 400 to a
   * field that it does not know.
   */
  extraBody?: Record<string, JSONValue>;
};

export type { PerplexityAgentSkill } from './tools/skills.js';

/** Checked options: dates in the form of the wire, defaults of our own filled in. */
export type ParsedOptions = PerplexityAgentProviderOptions & {
  cancelOnAbort: boolean;
  researchProgress: 'reasoning' | 'off';
};

function onOrArgs<T>(args: Check<T>): Check<boolean | T> {
  const check = (value: unknown, path: string) => {
    if (typeof value === 'boolean') return value;
    if (asObject(value) === undefined) throw invalid(path, 'must be true, false or an object');
    return args(value, path);
  };
  return Object.assign(check, { fields: args.fields });
}

// Beyond this a timer fires at once.
const LONGEST_TIMER = 2_147_483_647;
const milliseconds = integer(1, LONGEST_TIMER);

const checkModels = further(
  listOf(
    textSuchAs("a model id 'provider/model' (a level goes into 'effort')", (id) => id.includes('/')),
    5,
    'model ids',
  ),
  (models, path) => {
    if (models.length === 0) throw invalid(path, 'must have at least 1 entry; leave it out instead');
  },
);

const isPair = ([key, entry]: [string, unknown]): boolean =>
  key !== '' && key.length <= 64 && typeof entry === 'string' && entry.length <= 512;

const checkMetadata: Check<Record<string, string>> = (value, path) => {
  const metadata = asObject(value);
  const entries = entriesOf(metadata ?? {});
  if (metadata !== undefined && entries.length <= 16 && entries.every(isPair)) {
    return Object.fromEntries(entries) as Record<string, string>;
  }
  throw invalid(path, complaint('an object of at most 16 texts, keys up to 64 characters, values up to 512', value));
};

const checkOptions = strict<PerplexityAgentProviderOptions>({
  effort: textSuchAs("a level such as 'low' (a model goes into the model id)", (value) => !value.includes('/')),
  webSearch: onOrArgs(checkWebSearchArgs),
  fetchUrl: onOrArgs(checkFetchUrlArgs),
  models: checkModels,
  profile: strict<NonNullable<PerplexityAgentProviderOptions['profile']>>(
    {
      type: oneOf(['custom']),
      id: textSuchAs('a text of 1 to 128 characters', (value) => value.length <= 128),
      version: text,
    },
    ['id'],
  ),
  skills: checkSkills,
  maxSteps: integer(1, 100),
  maxToolCalls: integer(0, Infinity),
  parallelToolCalls: boolean,
  reasoningEffort: oneOf(['minimal', 'low', 'medium', 'high', 'xhigh', 'max']),
  languagePreference: textSuchAs("a two-letter language code of ISO 639-1 such as 'pt'", (value) =>
    /^[a-z]{2}$/.test(value),
  ),
  previousResponseId: textSuchAs('the id of a response'),
  store: boolean,
  background: onOrArgs(
    strict<{ pollInterval?: number; timeout?: number }>({ pollInterval: milliseconds, timeout: milliseconds }),
  ),
  cancelOnAbort: boolean,
  idleTimeout: milliseconds,
  maxReconnects: integer(0, Infinity),
  metadata: checkMetadata,
  truncation: oneOf(['auto', 'disabled']),
  serviceTier: text,
  promptCacheKey: text,
  user: text,
  safetyIdentifier: text,
  strictJsonSchema: boolean,
  systemMessageMode: oneOf(['instructions', 'input']),
  researchProgress: oneOf(['reasoning', 'off']),
  extraBody: rule<Record<string, JSONValue>>('an object of request fields', (value) => asObject(value) !== undefined),
});

/**
 * Every option by its name, for tests that must know them all.
 *
 * @internal
 */
export const optionNames: readonly string[] = Object.keys(checkOptions.fields ?? {});

const PATH = 'providerOptions.perplexity';
/** What `extraBody` may not touch: the conversation itself, and how the answer travels. */
const OWN_FIELDS = ['input', 'stream', 'background'];

/** Checks `providerOptions.perplexity` and fills in our own defaults. Throws InvalidArgumentError. */
export function parseProviderOptions(providerOptions: Record<string, unknown> | undefined): ParsedOptions {
  if ((providerOptions ?? undefined) !== undefined && asObject(providerOptions) === undefined) {
    throw invalid('providerOptions', complaint('an object of options by provider', providerOptions));
  }
  const given = reading(PATH, () => providerOptions?.['perplexity']);
  if (given === undefined) return { cancelOnAbort: true, researchProgress: 'reasoning' };
  const options = reading(PATH, () => {
    refuseFormerOptions(given, PATH);
    return checkOptions(given, PATH);
  });
  const own = reading(`${PATH}.extraBody`, () => OWN_FIELDS.find((field) => options.extraBody?.[field] !== undefined));
  if (own !== undefined) {
    throw invalid(`${PATH}.extraBody.${own}`, 'cannot be set here, since the package sets it itself; remove it');
  }
  const { cancelOnAbort = true, researchProgress = 'reasoning' } = options;
  return Object.assign(options, { cancelOnAbort, researchProgress });
}
