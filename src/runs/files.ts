/** Files that a run produced: which there are, and what is in them (`agent-api.md` §1, §3.5). */
import { asAmount, asText, dateOf, defined } from '../json.js';
import { pathSegment, readList, readStream, type Repeatable } from '../wire/repeatable.js';
import type { PerplexityAgentRequestOptions } from '../wire/http.js';

/** A file that a run produced. What the API leaves out is absent; fields that this package does not know are dropped. */
export type PerplexityAgentFile = {
  /** What `fileContent` takes; the `fileId` of the same file in `providerMetadata.perplexity.files`. */
  id: string;
  /** Name that the run gave it, as it came. Not safe as a path: take its last part, at most. */
  filename?: string;
  /** Size in bytes. */
  bytes?: number;
  createdAt?: Date;
};

/** What is in a file that a run produced. */
export type PerplexityAgentFileContent = {
  /**
   * The bytes, read as you read them. A connection that is lost, or a file that ends before its `size`, fails with
   * APICallError, so that half a file is never taken for a whole one. Cancel it if you do not read it to its end.
   */
  stream: ReadableStream<Uint8Array>;
  /** Size in bytes; absent where the reply does not say it, or says it of a compressed form. */
  size?: number;
  /** Media type as the API names it; often just `application/octet-stream`. */
  mediaType?: string;
  /** File name, without any folders; absent where the reply names none. `files` gives it too. */
  filename?: string;
};

export async function listFiles(
  repeatable: Repeatable,
  responseId: string,
  { abortSignal, headers }: PerplexityAgentRequestOptions = {},
): Promise<PerplexityAgentFile[]> {
  const path = `/v1/agent/${pathSegment('responseId', responseId)}/files`;
  const list = await repeatable(
    { method: 'GET', path, accept: 'application/json', headers, abortSignal },
    readList(abortSignal),
  );
  return list.flatMap((file) => {
    const id = asText(file['id']);
    if (id === undefined) return [];
    return defined<PerplexityAgentFile>({
      id,
      filename: asText(file['filename']),
      bytes: asAmount(file['bytes']),
      createdAt: dateOf(file['created_at']),
    });
  });
}

export async function openFile(
  repeatable: Repeatable,
  responseId: string,
  fileId: string,
  { abortSignal, headers }: PerplexityAgentRequestOptions = {},
): Promise<PerplexityAgentFileContent> {
  const path = `/v1/agent/${pathSegment('responseId', responseId)}/files/${pathSegment('fileId', fileId)}/content`;
  return repeatable({ method: 'GET', path, accept: 'application/octet-stream', headers, abortSignal }, (reply) => {
    const { headers: received } = reply.info;
    const size = sizeOf(received);
    return defined<PerplexityAgentFileContent>({
      stream: readStream(reply, size, abortSignal),
      size,
      mediaType: asText(received['content-type']?.split(';')[0]?.trim()),
      filename: filenameOf(received['content-disposition']),
    });
  });
}

function sizeOf(headers: Record<string, string>): number | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  const length = headers['content-length'] ?? '';
  return encoding === 'identity' && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** The name in a `content-disposition` header (RFC 6266): the encoded form first, and only the last part of a path. */
function filenameOf(disposition = ''): string | undefined {
  const encoded = /(?:^|[;\s])filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const quoted = /(?:^|[;\s])filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replace(/\\(.)/g, '$1');
  const bare = /(?:^|[;\s])filename\s*=\s*([^";\s]+)/i.exec(disposition)?.[1];
  const name = (encoded === undefined ? undefined : decoded(encoded)) ?? quoted ?? bare;
  const last = asText(name?.split(/[\\/]/).at(-1));
  return last === '.' || last === '..' ? undefined : last;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
