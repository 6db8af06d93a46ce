/** Options of one call, `providerOptions.perplexity`: the documented type and its strict schema. */
import type { JSONValue } from '@ai-sdk/provider';
import * as z from 'zod/v4';

import type { PerplexityAgentEffort, PerplexityAgentModel } from './request/model-ids.js';
import {
  boolean,
  integer,
  invalid,
  lazy,
  listOf,
  oneOf,
  parseStrict,
  rule,
  schemaOf,
  strict,
  text,
} from './tools/checks.js';
import { type FetchUrlArgs, fetchUrlArgsSchema } from './tools/fetch-url.js';
import { refuseFormerOptions } from './tools/former-options.js';
import { type WebSearchArgs, webSearchArgsSchema } from './tools/web-search.js';

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

/** A skill: built in, written here, or saved with your organisation (`agent-api.md` §3.9). */
export type PerplexityAgentSkill =
  | { type: 'builtin'; name: 'office' | 'office/docx' | 'office/pdf' | 'office/pptx' | 'office/xlsx' | (string & {}) }
  /**
   * `name`: lower-case words joined by `-`, up to 64 characters; `description` up to 1,024 bytes; `instructions` up to
   * 65,536 bytes, 262,144 in all inline skills. Bytes are those of UTF-8.
   */
  | { type: 'inline'; name: string; description: string; instructions: string }
  /** `id`: `skill_…`, up to 128 characters; `version` omitted = the latest. */
  | { type: 'custom'; id: string; version?: string };

/** Checked options: dates in the form of the wire, defaults of our own filled in. */
export type ParsedOptions = PerplexityAgentProviderOptions & {
  cancelOnAbort: boolean;
  researchProgress: 'reasoning' | 'off';
};

const utf8 = new TextEncoder();
const bytes = (value: string) => utf8.encode(value).length;
const upTo = (what: string, max: number, size: (value: string) => number) =>
  text(`a text of 1 to ${max} ${what}`, (value) => size(value) <= max);
const characters = (max: number) => upTo('characters', max, (value) => value.length);

const onOrArgs = <T>(args: z.ZodType<T>) => z.union([boolean(), args], { error: 'must be true, false or an object' });

// Beyond this a timer fires at once.
const LONGEST_TIMER = 2_147_483_647;
const milliseconds = () => integer(1, LONGEST_TIMER);

const skillsSchema = () => {
  const kinds = [
    strict({ type: z.literal('builtin'), name: text("the name of a built-in skill such as 'office/xlsx'") }),
    strict({
      type: z.literal('inline'),
      name: text(
        "1 to 64 characters: lower-case words and digits joined by '-'",
        (value) => value.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
      ),
      description: upTo('bytes in UTF-8', 1_024, bytes),
      instructions: upTo('bytes in UTF-8', 65_536, bytes),
    }),
    strict({
      type: z.literal('custom'),
      id: text("the id of a saved skill, 'skill_…', of at most 128 characters", (value) =>
        /^skill_.{1,122}$/.test(value),
      ),
      version: text().optional(),
    }),
  ] as const;
  const error = "must be a skill with a type of 'builtin', 'inline' or 'custom'";
  return listOf(z.discriminatedUnion('type', kinds, { error }), 16, 'skills').superRefine((skills, context) => {
    const total = skills.reduce((sum, skill) => sum + (skill.type === 'inline' ? bytes(skill.instructions) : 0), 0);
    if (total <= 262_144) return;
    const message = `have ${total} bytes of inline instructions, at most 262144 are allowed; shorten them`;
    context.addIssue({ code: 'custom', path: [], message });
  });
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const metadataSchema = () =>
  rule<Record<string, string>>(
    'an object of at most 16 texts, keys up to 64 characters, values up to 512',
    (value) =>
      isRecord(value) &&
      Object.keys(value).length <= 16 &&
      Object.entries(value).every(
        ([key, entry]) => key !== '' && key.length <= 64 && typeof entry === 'string' && entry.length <= 512,
      ),
  );

const schema = lazy(() =>
  schemaOf<PerplexityAgentProviderOptions>(
    strict({
      effort: text(
        "a level such as 'low' (a model goes into the model id)",
        (value) => !value.includes('/'),
      ).optional(),
      webSearch: onOrArgs(webSearchArgsSchema()).optional(),
      fetchUrl: onOrArgs(fetchUrlArgsSchema()).optional(),
      models: listOf(
        text("a model id 'provider/model' (a level goes into 'effort')", (id) => id.includes('/')),
        5,
        'model ids',
      )
        .min(1, { error: 'must have at least 1 entry; leave it out instead' })
        .optional(),
      profile: strict({
        type: oneOf(['custom']).optional(),
        id: characters(128),
        version: text().optional(),
      }).optional(),
      skills: skillsSchema().optional(),
      maxSteps: integer(1, 100).optional(),
      maxToolCalls: integer(0, Infinity).optional(),
      parallelToolCalls: boolean().optional(),
      reasoningEffort: oneOf(['minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
      languagePreference: text("a two-letter language code of ISO 639-1 such as 'pt'", (value) =>
        /^[a-z]{2}$/.test(value),
      ).optional(),
      previousResponseId: text('the id of a response').optional(),
      store: boolean().optional(),
      background: onOrArgs(
        strict({ pollInterval: milliseconds().optional(), timeout: milliseconds().optional() }),
      ).optional(),
      cancelOnAbort: boolean().optional(),
      idleTimeout: milliseconds().optional(),
      maxReconnects: integer(0, Infinity).optional(),
      metadata: metadataSchema().optional(),
      truncation: oneOf(['auto', 'disabled']).optional(),
      serviceTier: text().optional(),
      promptCacheKey: text().optional(),
      user: text().optional(),
      safetyIdentifier: text().optional(),
      strictJsonSchema: boolean().optional(),
      systemMessageMode: oneOf(['instructions', 'input']).optional(),
      researchProgress: oneOf(['reasoning', 'off']).optional(),
      extraBody: rule<Record<string, JSONValue>>('an object of request fields', isRecord).optional(),
    }),
  ),
);

const PATH = 'providerOptions.perplexity';
/** What `extraBody` may not touch: the conversation itself, and how the answer travels. */
const OWN_FIELDS = ['input', 'stream', 'background'];

/** Checks `providerOptions.perplexity` and fills in our own defaults. Throws InvalidArgumentError. */
export function parseProviderOptions(providerOptions: Record<string, unknown> | undefined): ParsedOptions {
  refuseFormerOptions(providerOptions?.['perplexity'], PATH);
  const given = providerOptions?.['perplexity'];
  const parsed = given === undefined ? {} : parseStrict(schema(), given, PATH);
  const own = OWN_FIELDS.find((field) => parsed.extraBody !== undefined && field in parsed.extraBody);
  if (own !== undefined) {
    throw invalid(`${PATH}.extraBody.${own}`, 'cannot be set here, since the package sets it itself; remove it');
  }
  return {
    ...parsed,
    cancelOnAbort: parsed.cancelOnAbort ?? true,
    researchProgress: parsed.researchProgress ?? 'reasoning',
  };
}
