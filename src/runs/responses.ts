/** What can be asked about a run by its id, apart from a model call. */
import { asText } from '../json.js';
import type { PerplexityAgentRequestOptions } from '../wire/http.js';
import type { Transport } from '../wire/transport.js';
import { listFiles, openFile, type PerplexityAgentFile, type PerplexityAgentFileContent } from './files.js';
import { retrieveRun, type PerplexityAgentRun } from './retrieve.js';

/** What `responses.cancel` resolves with. */
export type PerplexityAgentCancellation = {
  /** Id of the run. */
  responseId: string;
  /** `cancelling`: the run stops soon, `retrieve` says when it has (`agent-api.md` §10.5). */
  status: string;
};

/**
 * Runs by their ids, which are `providerMetadata.perplexity.responseId` and `response.id` of a result. All of these
 * requests are repeated up to twice where that may help (408, 409, 429, 5xx, a lost connection), as long as the service does
 * not ask to wait for over a minute. They throw InvalidArgumentError for an id that is none, LoadAPIKeyError without a key,
 * APICallError where the API refuses, and the reason of an abort.
 */
export type PerplexityAgentResponses = {
  /**
   * Where a run stands: its status, what it has found and, once it has finished, its answer. Runs with `store: false` are
   * answered 404.
   */
  retrieve(responseId: string, options?: PerplexityAgentRequestOptions): Promise<PerplexityAgentRun>;
  /**
   * Stops a run, so that billing stops. Resolves when the API has taken the request, which is some time before the run has
   * stopped. What it had found can be retrieved. A run that has finished, or that nobody knows, is answered 400.
   */
  cancel(responseId: string, options?: PerplexityAgentRequestOptions): Promise<PerplexityAgentCancellation>;
  /**
   * Files that a run produced, such as those its sandbox shared. Empty where there are none. Runs with `store: false` are
   * answered 404.
   */
  files(responseId: string, options?: PerplexityAgentRequestOptions): Promise<PerplexityAgentFile[]>;
  /**
   * The content of a file, as a stream. `fileId` is the `id` of `files`, or a `fileId` of
   * `providerMetadata.perplexity.files`.
   */
  fileContent(
    responseId: string,
    fileId: string,
    options?: PerplexityAgentRequestOptions,
  ): Promise<PerplexityAgentFileContent>;
};

export const createResponses = (transport: Transport): PerplexityAgentResponses => ({
  retrieve: async (responseId, options) => retrieveRun(transport, responseId, options),
  cancel: async (responseId, { headers, abortSignal } = {}) => {
    const reply = await transport.cancel({ responseId, headers, abortSignal });
    return {
      responseId: asText(reply['response_id']) ?? responseId,
      status: asText(reply['status']) ?? 'cancelling',
    };
  },
  files: (responseId, options) => listFiles(transport.repeatable, responseId, options),
  fileContent: (responseId, fileId, options) => openFile(transport.repeatable, responseId, fileId, options),
});
