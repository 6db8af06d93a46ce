/** What lies beside the project on the founders' machines; tests that need it are skipped elsewhere. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));

const hasShared = existsSync(`${shared}check-stream.mjs`);
export const hasCaptures = existsSync(`${shared}captures/agent-web-search.chunks.txt`);

export const capture = (name: string) => readFileSync(`${shared}captures/${name}`, 'utf8');
export const captureJson = (name: string) => JSON.parse(capture(name)) as Record<string, unknown>;

export type CheckStream = (
  parts: unknown[],
  options?: { version?: string; declaredTools?: string[]; includeRawChunks?: boolean; aborted?: boolean },
) => string[];

/** The conformance checker of `sdk-matrix.md` §6; without it nothing is found. */
export const checkStream: CheckStream = hasShared
  ? ((await import(/* @vite-ignore */ pathToFileURL(`${shared}check-stream.mjs`).href)) as { checkStream: CheckStream })
      .checkStream
  : () => [];
