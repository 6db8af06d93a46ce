/** Where a run stands, asked for by its id. */
import type { JSONObject } from '@ai-sdk/provider';
import { readFailure } from '../errors.js';
import { asText, defined } from '../json.js';
import { sourcesOf, textOf } from '../stream/arrived.js';
import { createEventMapper } from '../stream/event-mapper.js';
import { isTerminalStatus } from '../stream/finish.js';
import { fold } from '../stream/fold.js';
import type { PerplexityAgentMetadata } from '../stream/metadata.js';
import { replay } from '../stream/replay.js';
import type { PerplexityAgentRequestOptions } from '../wire/http.js';
import { withRetries } from '../wire/retry.js';
import type { Transport } from '../wire/transport.js';

/** Status of a run (`agent-api.md` §6.1). The list is open. */
export type PerplexityAgentRunStatus =
  | 'queued'
  | 'in_progress'
  | 'completed'
  | 'incomplete'
  | 'failed'
  | 'cancelled'
  | 'requires_action'
  | (string & {});

/** A run as it stands. What the API does not say is absent. */
export type PerplexityAgentRun = {
  /** Id of the run, `resp_…`. */
  id: string;
  /** Where it stands; absent where the reply does not say. A cancelled one goes on for a while after its cancellation. */
  status?: PerplexityAgentRunStatus;
  /** Whether the status is a last one: nothing will be added. */
  isFinished: boolean;
  /** The answer. A run that goes on has none yet, one that was stopped may have a part of it. */
  text: string;
  /** Pages found so far, each once. */
  sources: Array<{ id: string; url: string; title?: string }>;
  /** Why it failed or was cancelled, by the words of the API. */
  error?: { message?: string; type?: string; code?: string | number };
  /** As `providerMetadata.perplexity` of the finished run: usage, cost, citations, files, … */
  metadata: PerplexityAgentMetadata;
  /** The response object as it came (`agent-api.md` §4). */
  body: JSONObject;
};

export async function retrieveRun(
  transport: Pick<Transport, 'retrieve'>,
  responseId: string,
  { abortSignal, headers }: PerplexityAgentRequestOptions = {},
): Promise<PerplexityAgentRun> {
  const ask = () => transport.retrieve({ responseId, headers, abortSignal });
  const { response, request } = await withRetries(ask, abortSignal);
  const status = asText(response['status']);
  const isFinished = status === undefined || isTerminalStatus(status);
  // The same mapping as for a call; of a run that goes on it is cut short here.
  const mapper = createEventMapper({
    tools: { functions: new Set(), native: new Map(), keys: new Set() },
    requestedModel: undefined,
    effort: undefined,
    traits: { undeclaredTools: false, customParts: false },
    isChained: false,
    isStructured: false,
    showProgress: false,
    attachment: { responseId, startsLate: false, isRestarted: false, isAnnounced: false },
    generateId: () => responseId,
    redact: request.redact,
    createError: ({ message }) => new Error(message),
  });
  const events = isFinished ? replay(response) : [{ type: 'response.in_progress', response }];
  const { content, finish } = fold([...events.flatMap((event) => mapper.push(event)), ...mapper.end()]);
  const failure = readFailure(response['error']);
  return defined<PerplexityAgentRun>({
    id: asText(response['id']) ?? responseId,
    status,
    isFinished,
    text: textOf(content),
    sources: sourcesOf(content),
    error: Object.keys(failure).length > 0 ? request.redact(failure) : undefined,
    metadata: finish?.providerMetadata.perplexity ?? {},
    body: request.redact(response) as JSONObject,
  });
}
