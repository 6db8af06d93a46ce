import { createMarkerList, type MarkerList } from '../citations/marker-list.js';
import { createMarkerScanner, type MarkerScanner } from '../citations/scanner.js';
import type { CoreCitation, CoreMetadata, CorePart, CoreSource } from '../spec.js';
import { createMessages, type Message } from './messages.js';
import { citationsAfter, citationsOf, withoutPlaces } from './spans.js';

/**
 * Text of the answer: each message and content part is a block of its own (`agent-api.md` §5.2). A message goes by its
 * id; where ids are missing or do not agree, by its place in the output, and in the end by what it says.
 */
export type TextBlocks = {
  /** A piece of text. */
  delta(id: string | undefined, index: number | undefined, content: number, delta: string): void;
  /** The whole text of a content part: what was not streamed is emitted now. */
  complete(id: string | undefined, index: number | undefined, content: number, text: string): void;
  /** A whole message, by its content parts: completed, then closed. */
  message(id: string | undefined, index: number, parts: readonly ContentPart[]): void;
  /** A message begins. */
  announce(id: string | undefined, index: number | undefined): void;
  /**
   * From now on messages are those of the final output, whose ids are these: they pair up with the streamed ones.
   * `isRestKnown`: the caller has had what no event brought.
   */
  beginFinal(ids: readonly (string | undefined)[], isRestKnown: boolean): void;
  closeAll(): void;
};

/** A part of a message: its text, and what that cites besides its markers. */
export type ContentPart = { text: string | undefined; citations: readonly CoreCitation[] };

type Block = {
  id: string;
  state: 'empty' | 'open' | 'closed';
  /** The wire has said that this is all; further deltas are repetitions. */
  isComplete: boolean;
  /** The caller has had its beginning: what comes is the rest of it. */
  isLate: boolean;
  /** Length and hash stand in for the text sent so far: keeping the text itself would double a long answer's memory. */
  length: number;
  hash: number;
  /** The whole text, once the wire has told it: it tells it three times, and comparing is cheaper than hashing. */
  whole?: string;
  /** Length at which it opened: what was sent before is in a block of its own. */
  openedAt: number;
  /** Citation markers are found on the way, for the same reason. */
  markers?: MarkerList;
  scanner?: MarkerScanner;
  /** What else it cites. */
  annotated: readonly CoreCitation[];
  /** The whole text where it contradicts what was streamed. */
  corrected?: string;
};

const hashOf = (text: string, hash = 0, end = text.length): number => {
  let result = hash;
  for (let index = 0; index < end; index++) result = (result * 31 + text.charCodeAt(index)) | 0;
  return result;
};

/** Whether a text goes on from what a block has sent; one whose beginning the caller has had ends with it. */
function continues(block: Block, text: string): boolean {
  if (text === block.whole) return true;
  const sent = block.isLate ? text.slice(text.length - block.length) : text;
  return text.length >= block.length && hashOf(sent, 0, block.length) === block.hash;
}

export function createTextBlocks(context: {
  /** Prefix of the ids of messages that have none. */
  prefix(): string;
  /** Metadata of a block's start and end. */
  metadata(): CoreMetadata;
  /** The source that a marker's number stands for. */
  sourceOf(resultId: string): CoreSource | undefined;
  /** The text is prose, which may cite; in JSON `[1]` is a list. */
  hasCitations: boolean;
  /** The caller has had what was sent before the first event. */
  startsLate: boolean;
  /** Called before a block opens. */
  onOpen(): void;
  emit(part: CorePart): void;
}): TextBlocks {
  const { emit } = context;
  const messages = createMessages<Block>(context.prefix);
  /** Ids and places of messages that began before our eyes. */
  const announced = new Set<string | number>();
  let isRestKnown = true;

  const isLate = ({ id, index }: Message<Block>) =>
    context.startsLate && isRestKnown && !announced.has(id ?? '') && !announced.has(index ?? '');

  function blockOf(message: Message<Block>, content: number): Block {
    let block = message.blocks.get(content);
    if (block === undefined) {
      const id = content === 0 ? message.blockId : `${message.blockId}:${content}`;
      block = {
        id,
        state: 'empty',
        isComplete: false,
        isLate: isLate(message),
        length: 0,
        hash: 0,
        openedAt: 0,
        annotated: [],
      };
      message.blocks.set(content, block);
    }
    return block;
  }

  function write(block: Block, text: string): void {
    if (block.state === 'empty') {
      context.onOpen();
      block.state = 'open';
      block.openedAt = block.length;
      const markers = createMarkerList();
      block.markers = markers;
      if (context.hasCitations) block.scanner = createMarkerScanner(markers.add);
      emit({ type: 'text-start', id: block.id, providerMetadata: context.metadata() });
    }
    block.length += text.length;
    block.hash = hashOf(text, block.hash);
    block.scanner?.push(text);
    emit({ type: 'text-delta', id: block.id, delta: text });
  }

  function completeBlock(block: Block, text: string): void {
    block.isComplete = true;
    if (continues(block, text)) {
      block.whole = text;
      delete block.corrected;
      if (block.isLate || text.length === block.length) return;
      // An id is never used twice: the rest of a closed block goes into one of its own.
      if (block.state === 'closed') Object.assign(block, { id: `${block.id}:more`, state: 'empty' });
      write(block, text.slice(block.length));
    } else if (block.state === 'open') {
      // A delta was lost or spoiled on the way. What is sent cannot be taken back, so the true text rides along.
      block.corrected = text;
    }
  }

  function close(message: Message<Block>): void {
    for (const block of message.blocks.values()) {
      // A block that never opened may still get its text from a later snapshot.
      if (block.state !== 'open') continue;
      block.state = 'closed';
      block.scanner?.end();
      delete block.scanner;
      const { perplexity } = context.metadata();
      emit({
        type: 'text-end',
        id: block.id,
        ...citationsOf(block.markers ?? [], context.sourceOf, block.annotated),
        providerMetadata: {
          perplexity: block.corrected === undefined ? perplexity : { correctedText: block.corrected, ...perplexity },
        },
      });
    }
  }

  /** Annotations count in the whole text, of which an open block may hold the end only. */
  function annotate(block: Block, text: string, citations: readonly CoreCitation[]): void {
    if (!context.hasCitations) return;
    const start = text.length - (block.length - block.openedAt);
    block.annotated = block.corrected === undefined ? citationsAfter(start, citations) : withoutPlaces(citations);
  }

  /** Whether a content part may be the one of a message, by what was streamed of it. */
  const fits = (content: number, text: string) => (message: Message<Block>) => {
    const block = message.blocks.get(content);
    return block === undefined || continues(block, text);
  };

  return {
    delta(id, index, content, delta) {
      if (delta === '') return;
      const block = blockOf(messages.ofDelta(id, index), content);
      if (!block.isComplete && block.state !== 'closed') write(block, delta);
    },
    complete(id, index, content, text) {
      completeBlock(blockOf(messages.ofText(id, index, fits(content, text)), content), text);
    },
    message(id, index, parts) {
      const first = parts.findIndex(({ text }) => text !== undefined);
      if (first === -1) return;
      const message = messages.ofText(id, index, fits(first, parts[first]?.text ?? ''));
      parts.forEach(({ text, citations }, content) => {
        if (text === undefined) return;
        const block = blockOf(message, content);
        completeBlock(block, text);
        annotate(block, text, citations);
      });
      message.isClosed = true;
      close(message);
    },
    announce(id, index) {
      if (!context.startsLate) return;
      if (id !== undefined) announced.add(id);
      if (index !== undefined) announced.add(index);
    },
    beginFinal(ids, isKnown) {
      isRestKnown = isKnown;
      messages.beginFinal(ids);
    },
    closeAll() {
      for (const message of messages.all) close(message);
    },
  };
}
