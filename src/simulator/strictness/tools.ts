/** `tools` and `tool_choice` (agent-api.md §2.4, §3). */
import { invalidRequest, Refusal, validationFailed } from '../errors.js';
import { asArray, asString, isObject, objectsIn, type JsonObject } from '../json.js';
import {
  anyObject,
  array,
  boolean,
  integer,
  map,
  number,
  object,
  string,
  stringOr,
  union,
  unknownDiscriminator,
} from './decode.js';
import { checkFilters } from './filters.js';
import { checkCount, checkHttps, checkOneOf, checkPattern, checkRange } from './rules.js';

/** Names that a client function may not have (agent-api.md §3.7); those that are only suspected are let through. */
const RESERVED = [
  'web_search',
  'search_web',
  'people_search',
  'search_people',
  'fetch_url',
  'finance_search',
  'sandbox',
];

const MAX_SERVERS = 16;
const settings = { type: string };

const webSearch = object({
  ...settings,
  search_type: string,
  search_context_size: string,
  max_results: integer,
  max_tokens: integer,
  max_tokens_per_page: integer,
  filters: object({
    search_domain_filter: array(string),
    search_recency_filter: string,
    search_after_date_filter: string,
    search_before_date_filter: string,
    last_updated_after_filter: string,
    last_updated_before_filter: string,
  }),
  user_location: object({ country: string, region: string, city: string, latitude: number, longitude: number }),
});

const imageSearch = object({
  ...settings,
  max_results: integer,
  filters: object({ domain_filter: array(string), format_filter: array(string), safe_search: boolean }),
});

const mcp = object(
  {
    ...settings,
    server_label: string,
    server_url: string,
    authorization: string,
    headers: map(string),
    allowed_tools: array(string),
    defer_loading: boolean,
    // Tolerated and ignored (agent-api.md §3.6), in whatever form OpenAI clients send them.
    require_approval: stringOr(anyObject),
    connector_id: string,
  },
  ['server_label', 'server_url'],
);

const connector = object(
  { ...settings, id: string, server_label: string, server_description: string, allowed_tools: array(string) },
  ['id', 'server_label'],
);

/** Shape of `tools`. */
export const toolsShape = array(
  union(
    {
      web_search: webSearch,
      image_search: imageSearch,
      fetch_url: object({ ...settings, max_urls: integer, total_budget_tokens: integer }),
      people_search: object({ ...settings, max_tokens: integer, max_tokens_per_page: integer }),
      finance_search: object(settings),
      sandbox: object(settings),
      mcp,
      connector,
      function: object({ ...settings, name: string, description: string, parameters: anyObject, strict: boolean }, [
        'name',
      ]),
    },
    unknownDiscriminator,
  ),
);

/** Shape of `tool_choice`: a word, or an object of a `type` or a `name`. */
export const toolChoiceShape = stringOr(object({ type: string, name: string }));

/** Rules on the values inside `tools`. */
export function checkTools(tools: unknown): void {
  const labels = new Set<string>();
  let servers = 0;
  for (const [index, tool] of objectsIn(tools).entries()) {
    const label = `tools[${index}]`;
    checkTool(tool, label);
    if (tool.type !== 'mcp') continue;
    servers += 1;
    if (labels.has(String(tool.server_label))) throw validationFailed(`${label}: server_label must be unique`);
    labels.add(String(tool.server_label));
  }
  if (servers > MAX_SERVERS) throw validationFailed(`tools must have at most ${MAX_SERVERS} mcp servers`);
}

function checkTool(tool: JsonObject, label: string): void {
  switch (tool.type) {
    case 'function':
      return checkFunction(tool, label);
    case 'web_search':
      return checkWebSearch(tool, label);
    case 'image_search':
      return checkImageSearch(tool, label);
    case 'fetch_url':
      checkRange(tool.max_urls, `${label}: max urls`, 1, 10);
      return checkRange(tool.total_budget_tokens, `${label}: total budget tokens`, 1, 120_000);
    case 'mcp':
      checkPattern(tool.server_label, `${label}: server_label`, /^[a-zA-Z0-9_-]{1,64}$/u);
      return checkHttps(tool.server_url, `${label}: server_url`);
    default:
      return undefined;
  }
}

function checkFunction(tool: JsonObject, label: string): void {
  const name = String(tool.name);
  if (RESERVED.includes(name)) {
    throw invalidRequest(
      `invalid request: invalid tools in request: custom function name "${name}" is reserved`,
      'tools',
    );
  }
  // The pattern of names is not documented (agent-api.md §3.7), so only an empty one is refused.
  if (name === '') throw validationFailed(`${label}: function name cannot be empty`);
}

function checkWebSearch(tool: JsonObject, label: string): void {
  checkOneOf(tool.search_type, `${label}: search type`, ['web', 'fast']);
  checkOneOf(tool.search_context_size, `${label}: search context size`, ['low', 'medium', 'high']);
  checkRange(tool.max_results, `${label}: max results`, 1, 50);
  if (isObject(tool.filters)) checkFilters(tool.filters, label);
  if (isObject(tool.user_location)) checkLocation(tool.user_location, label);
}

function checkLocation(location: JsonObject, label: string): void {
  checkPattern(location.country, `${label}: user location country`, /^[A-Za-z]{2}$/u);
  checkRange(location.latitude, `${label}: user location latitude`, -90, 90);
  checkRange(location.longitude, `${label}: user location longitude`, -180, 180);
  if (('latitude' in location || 'longitude' in location) && !('country' in location)) {
    throw validationFailed(`${label}: user location coordinates need a country`);
  }
}

function checkImageSearch(tool: JsonObject, label: string): void {
  checkRange(tool.max_results, `${label}: max results`, 1, 30);
  if (!isObject(tool.filters)) return;
  checkCount(tool.filters.domain_filter, `${label}: domain filter`, 10);
  checkCount(tool.filters.format_filter, `${label}: format filter`, 10);
  for (const format of asArray(tool.filters.format_filter)) {
    checkOneOf(format, `${label}: format filter`, ['bmp', 'gif', 'jpeg', 'png', 'webp', 'svg']);
  }
}

/** Types that `tool_choice` may name: a function goes by its name. */
const CHOOSABLE = [
  'required',
  'web_search',
  'image_search',
  'fetch_url',
  'people_search',
  'finance_search',
  'sandbox',
  'mcp',
  'connector',
];

/** Rules on `tool_choice` (agent-api.md §2.4). OpenAI's `{"type":"function","name":…}` is confirmed nowhere, so it is refused. */
export function checkToolChoice(choice: unknown, tools: unknown): void {
  checkOneOf(choice, 'tool_choice', ['none', 'auto', 'required']);
  if (!isObject(choice)) return;
  const name = asString(choice.name);
  const type = asString(choice.type);
  if ((name === undefined) === (type === undefined)) {
    throw new Refusal(
      400,
      'invalid_request',
      'validation failed: tool_choice needs either a type or a name',
      'tool_choice',
    );
  }
  checkOneOf(type, 'tool_choice type', CHOOSABLE);
  const isDeclared = objectsIn(tools).some((tool) => tool.type === 'function' && tool.name === name);
  if (name !== undefined && !isDeclared) {
    throw new Refusal(
      400,
      'invalid_request',
      `validation failed: tool_choice names no function "${name}"`,
      'tool_choice',
    );
  }
}
