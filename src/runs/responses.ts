/** What can be asked about a run by its id, apart from a model call. */
import type { PerplexityAgentRequestOptions } from '../wire/http.js';
import type { Transport } from '../wire/transport.js';
import { listFiles, openFile, type PerplexityAgentFile, type PerplexityAgentFileContent } from './files.js';

/**
 * Runs by their ids, which are `providerMetadata.perplexity.responseId` and `response.id` of a result. All of these are
 * reading requests, repeated up to twice where that may help (408, 409, 429, 5xx, a lost connection), as long as the
 * service does not ask to wait for over a minute. They throw InvalidArgumentError for an id that is none, LoadAPIKeyError
 * without a key, APICallError where the API refuses, and the reason of an abort.
 */
export type PerplexityAgentResponses = {
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

export const createResponses = ({ get }: Pick<Transport, 'get'>): PerplexityAgentResponses => ({
  files: (responseId, options) => listFiles(get, responseId, options),
  fileContent: (responseId, fileId, options) => openFile(get, responseId, fileId, options),
});
