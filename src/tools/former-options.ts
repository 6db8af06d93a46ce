/**
 * Options of the packages that people come from (`docs/migration.md`), and what does their work here. Each would be refused
 * anyway, being none of ours; here the refusal says where it went, whether it is written in snake or in camel case. Those
 * that only moved under one of our options, such as the filters of a search, the check of the options finds by itself.
 */
import { asObject } from '../json.js';
import { invalid } from '../refusals.js';

const NOTHING = '';

/** By their names without underscores, in lower case. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  // Sonar
  websearchoptions: 'webSearch',
  disablesearch: 'webSearch: false, or maxToolCalls: 0 with a level',
  returnimages: 'perplexityAgent.tools.imageSearch()',
  imagedomainfilter: 'filters.domainFilter of perplexityAgent.tools.imageSearch()',
  imageformatfilter: 'filters.formatFilter of perplexityAgent.tools.imageSearch()',
  searchlanguagefilter: NOTHING,
  searchmode: NOTHING,
  enablesearchclassifier: NOTHING,
  returnrelatedquestions: NOTHING,
  mediaresponse: NOTHING,
  streammode: NOTHING,
  // @ai-sdk/perplexity 2.1.1, and fields that it passed on
  instructions: 'system of the call',
  tools: 'webSearch and fetchUrl, or declare perplexityAgent.tools in tools of the call',
  reasoning: 'reasoningEffort',
  preset: 'effort',
  responseformat: 'a schema (generateObject, Output.object)',
  maxoutputtokens: 'maxOutputTokens of the call',
  maxtokens: 'maxOutputTokens of the call',
  temperature: 'temperature of the call',
  topp: 'topP of the call',
  topk: NOTHING,
  stop: NOTHING,
  presencepenalty: NOTHING,
  frequencypenalty: NOTHING,
  toolchoice: 'toolChoice of the call',
  // @ai-sdk/open-responses and @ai-sdk/openai
  allowedtools: 'activeTools or toolChoice of the call',
  conversation: 'previousResponseId',
  textformat: 'a schema (generateObject, Output.object)',
  include: NOTHING,
  includewebsearchsources: NOTHING,
  logprobs: NOTHING,
  promptcacheoptions: NOTHING,
  promptcacheretention: NOTHING,
  reasoningeffortupdate: NOTHING,
  reasoningmode: NOTHING,
  reasoningcontext: NOTHING,
  reasoningsummary: NOTHING,
  forcereasoning: NOTHING,
  passthroughunsupportedfiles: NOTHING,
  textverbosity: NOTHING,
  contextmanagement: NOTHING,
  compactiontrigger: NOTHING,
};

/** Throws InvalidArgumentError for the first option that has a successor here, or had a meaning elsewhere. */
export function refuseFormerOptions(given: unknown, path: string): void {
  for (const [key, value] of Object.entries(asObject(given) ?? {})) {
    const plain = key.replaceAll('_', '').toLowerCase();
    if (value === undefined || !Object.hasOwn(SUCCESSORS, plain)) continue;
    const successor = SUCCESSORS[plain];
    throw invalid(
      `${path}.${key}`,
      successor === NOTHING
        ? 'is not a known option, and nothing replaces it; remove it'
        : `is not a known option; use ${successor}`,
    );
  }
}
