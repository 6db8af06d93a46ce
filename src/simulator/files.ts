/** Files that a run shares: its `share_file` items as a list, and contents that are made up (agent-api.md §1, §4.2). */
import { TextSource } from './body-source.js';
import { notFound } from './errors.js';
import { asString, type JsonObject } from './json.js';
import { jsonReply, type Reply } from './reply.js';
import type { Run } from './runs.js';
import { CutAfterBytes } from './source-edits.js';
import type { OutputItem } from './types.js';

/** One block of a content; larger files repeat it, so that their size costs no memory. */
const BLOCK_BYTES = 65_536;

/** The answer to `GET …/{id}/files`. */
export function fileList(run: Run): Reply {
  const data = sharedFiles(run).map((item) => ({
    id: item.file_id,
    object: 'file',
    filename: item.filename,
    bytes: sizeOf(item),
    created_at: run.response.created_at,
  }));
  return jsonReply({ object: 'list', data }, { responseId: run.id });
}

/**
 * The answer to `GET …/files/{file_id}/content`: as many bytes as the item says.
 *
 * @throws Refusal 404 when the run has no such file.
 */
export function fileContent(run: Run, fileId: string): Reply {
  const item = sharedFiles(run).find((file) => file.file_id === fileId);
  if (item === undefined) throw notFound();
  const size = sizeOf(item);
  const line = contentLine(item);
  const block = line.repeat(Math.ceil(Math.min(size, BLOCK_BYTES) / line.length)).slice(0, BLOCK_BYTES);
  return {
    status: 200,
    contentType: 'application/octet-stream',
    headers: { 'content-length': String(size) },
    source: new CutAfterBytes(new TextSource(Array.from({ length: Math.ceil(size / BLOCK_BYTES) }, () => block)), size),
    responseId: run.id,
  };
}

/** Failed ones have no id, and are nothing to fetch. */
function sharedFiles(run: Run): OutputItem[] {
  return run.life.items.filter((item) => item.type === 'share_file' && asString(item.file_id) !== undefined);
}

/** The size that the item gives; without one, that of a single line. */
function sizeOf(item: JsonObject): number {
  return Number.isInteger(item.size_bytes) ? Number(item.size_bytes) : contentLine(item).length;
}

/** ASCII, so that characters are bytes. */
function contentLine(item: JsonObject): string {
  return `Invented content of ${String(item.file_id).replaceAll(/[^ -~]/gu, '?')}.\n`;
}
