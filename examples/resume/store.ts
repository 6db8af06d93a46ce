/**
 * What is known of one run, in a file of JSON lines. A line is added for each event, once all that the event brought is at
 * hand; nothing is ever changed. So whenever the process dies, the file says exactly up to which event the answer is stored.
 */
import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';

export type Source = { url: string; title?: string };

/** How the run ended. */
export type End = { finishReason: string; costInUsd?: number; error?: string };

export type Line = {
  question?: string;
  responseId?: string;
  /** Number of the event that this line stores; `resume` takes the last one as `startingAfter`. */
  event?: number;
  /** The answer begins anew with this line. */
  restarted?: boolean;
  /** Pieces of text by block; `isWhole` replaces the block. */
  texts?: Array<{ block: string; text: string; isWhole?: boolean }>;
  sources?: Source[];
  end?: End;
};

export type Store = {
  /** When it returns, the line is on the disk. */
  append(line: Line): void;
  close(): void;
  readonly question: string | undefined;
  readonly responseId: string | undefined;
  readonly lastEvent: number | undefined;
  readonly text: string;
  readonly sources: readonly Source[];
  readonly end: End | undefined;
};

/** Opens a store, or makes one. Throws where a line is none of ours. */
export function openStore(file: string): Store {
  const fd = openSync(file, 'a+');
  const lines = readLines(file, fd);
  let question: string | undefined;
  let responseId: string | undefined;
  let lastEvent: number | undefined;
  let end: End | undefined;
  let blocks = new Map<string, string>();
  let sources = new Map<string, Source>();

  function take(line: Line): void {
    if (line.restarted === true) {
      blocks = new Map();
      sources = new Map();
    }
    for (const { block, text, isWhole } of line.texts ?? []) {
      blocks.set(block, isWhole === true ? text : (blocks.get(block) ?? '') + text);
    }
    for (const source of line.sources ?? []) sources.set(source.url, source);
    question = line.question ?? question;
    responseId = line.responseId ?? responseId;
    lastEvent = line.event ?? lastEvent;
    end = line.end ?? end;
  }

  for (const line of lines) take(line);
  return {
    append(line) {
      writeSync(fd, `${JSON.stringify(line)}\n`);
      // Against loss of power; what a killed process has written is safe anyway. Less often would do, too: the events whose
      // lines are missing come again.
      fsyncSync(fd);
      take(line);
    },
    close: () => closeSync(fd),
    get question() {
      return question;
    },
    get responseId() {
      return responseId;
    },
    get lastEvent() {
      return lastEvent;
    },
    get text() {
      return [...blocks.values()].join('');
    },
    get sources() {
      return [...sources.values()];
    },
    get end() {
      return end;
    },
  };
}

/** A last line without its end was being written when the process died: it is cut off, and its event comes again. */
function readLines(file: string, fd: number): Line[] {
  const bytes = readFileSync(file);
  const length = bytes.lastIndexOf('\n') + 1;
  if (length < bytes.length) ftruncateSync(fd, length);
  const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}
