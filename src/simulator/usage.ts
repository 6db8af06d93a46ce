/** Usage and cost that add up (agent-api.md §7). Counts are estimates at four characters a token; zero-valued keys are left out. */
import type { JsonObject } from './json.js';
import { dollars, pricesOf } from './prices.js';
import type { RequestView } from './request-view.js';

/** What a run used, before it is priced. */
export interface RunUsage {
  /** Text that the model wrote, visible in the reply. */
  text: string;
  /** Hidden reasoning tokens; they count as output. */
  reasoning: number;
  /** Searches made. */
  searches: number;
  /** Pages fetched, by the text of each. */
  fetched: string[];
  /** Calls of other tools, by billing key. */
  calls?: Record<string, number>;
  /** Text that tools put into the model's context. */
  toolText: string;
  /** Exact output tokens, where the run was stopped by a cap. */
  outputTokens?: number;
}

const FETCH_PRICE = 0.0005;
/** Per call (agent-api.md §3). The keys of images and sandbox are nowhere on record. */
const CALL_PRICES: Record<string, number> = {
  search_people: 0.005,
  finance_search: 0.005,
  image_search: 0.0025,
  sandbox: 0.03,
};
const EXTRACTOR = 'openai/gpt-5.6-luna';
/** Prompt of a level that sits in the cache; the request itself is never read from it. */
const LEVEL_PROMPT = 1536;

/** The `usage` object of a terminal snapshot. */
export function usageOf(view: RequestView, used: RunUsage): JsonObject {
  const cached = view.level === undefined ? 0 : LEVEL_PROMPT;
  const fresh = tokensIn(JSON.stringify(view.body.input ?? '')) + tokensIn(used.toolText) + 8;
  // A level's prompt is cached, so what comes after it is written to the cache but for a few tokens [live].
  const written = view.level === undefined ? 0 : fresh - 3;
  const visible = used.outputTokens === undefined ? tokensIn(used.text) : used.outputTokens - used.reasoning;
  const output = visible + used.reasoning;
  const details = toolDetails(view, used);
  const input = fresh + cached;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: {
      cached_tokens: cached,
      ...(cached > 0 ? { cache_creation_input_tokens: written, cache_read_input_tokens: cached } : {}),
    },
    output_tokens_details: { reasoning_tokens: used.reasoning },
    ...(Object.keys(details).length > 0 ? { tool_calls_details: details } : {}),
    cost: costOf(view.servedModel, { fresh: fresh - written, written, cached, output }, details),
  };
}

interface TokenCounts {
  fresh: number;
  written: number;
  cached: number;
  output: number;
}

interface ToolDetail {
  invocation: number;
  cost_usd: number;
  token_usage?: unknown[];
}

function costOf(model: string, tokens: TokenCounts, tools: Record<string, ToolDetail>): JsonObject {
  const prices = pricesOf(model);
  const parts: Record<string, number> = {
    input_cost: perToken(tokens.fresh, prices.input),
    output_cost: perToken(tokens.output, prices.output),
  };
  if (tokens.written > 0) parts.cache_creation_cost = perToken(tokens.written, prices.input * 1.25);
  if (tokens.cached > 0) parts.cache_read_cost = perToken(tokens.cached, prices.input / 10);
  const byTool = Object.fromEntries(Object.entries(tools).map(([key, detail]) => [key, detail.cost_usd]));
  if (Object.keys(tools).length > 0) parts.tool_calls_cost = sum(Object.values(byTool));
  return {
    currency: 'USD',
    ...parts,
    ...(Object.keys(tools).length > 0 ? { tool_calls_cost_details: byTool } : {}),
    total_cost: sum(Object.values(parts)),
  };
}

function perToken(count: number, price: number): number {
  return dollars((count * price) / 1_000_000);
}

function toolDetails(view: RequestView, used: RunUsage): Record<string, ToolDetail> {
  const details: Record<string, ToolDetail> = {};
  if (used.searches > 0) {
    const price = isFastSearch(view) ? 0.001 : 0.0025;
    details.search_web = { invocation: used.searches, cost_usd: dollars(used.searches * price) };
  }
  if (used.fetched.length > 0) {
    // The extractor's tokens are billed inside the tool and counted nowhere else.
    const usage = used.fetched.map((page) => extraction(page));
    const tokenCost = sum(usage.map((entry) => entry.cost));
    details.fetch_url = {
      invocation: used.fetched.length,
      cost_usd: dollars(used.fetched.length * FETCH_PRICE + tokenCost),
      token_usage: usage.map((entry) => entry.usage),
    };
  }
  for (const [key, invocation] of Object.entries(used.calls ?? {})) {
    details[key] = { invocation, cost_usd: dollars(invocation * (CALL_PRICES[key] ?? 0)) };
  }
  return details;
}

function extraction(page: string): { cost: number; usage: JsonObject } {
  const output = tokensIn(page);
  const input = output * 8;
  const prices = pricesOf(EXTRACTOR);
  return {
    cost: perToken(1, input * prices.input + output * prices.output),
    usage: {
      model: EXTRACTOR,
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

function isFastSearch(view: RequestView): boolean {
  const declared = view.tools.find((tool) => tool.type === 'web_search')?.search_type;
  return declared === undefined ? view.isFast : declared === 'fast';
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

function sum(amounts: number[]): number {
  return dollars(amounts.reduce((total, amount) => total + amount, 0));
}
