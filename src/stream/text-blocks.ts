import type { CoreMetadata, CorePart } from '../spec.js';

/** Text of the answer: each message and content part is a block of its own (`agent-api.md` §5.2). */
export type TextBlocks = {
  /** A piece of text. Key of the message, index of the content part. */
  delta(message: string, content: number, delta: string): void;
  /** The whole text of a content part: what was not streamed is emitted now. */
  complete(message: string, content: number, text: string): void;
  /** The message is over: its open blocks are closed, and further deltas of them are repetitions. */
  close(message: string): void;
  closeAll(): void;
  /** Whether any text was emitted. */
  readonly hasText: boolean;
};

type Block = {
  id: string;
  state: 'empty' | 'open' | 'closed';
  /** Length and hash stand in for the text sent so far: keeping the text itself would double a long answer's memory. */
  length: number;
  hash: number;
  /** The whole text where it contradicts what was streamed. */
  corrected?: string;
};

const hashOf = (text: string, hash = 0, end = text.length): number => {
  let result = hash;
  for (let index = 0; index < end; index++) result = (result * 31 + text.charCodeAt(index)) | 0;
  return result;
};

export function createTextBlocks(context: {
  /** Turns a message key into a block id. */
  blockId(message: string, content: number): string;
  /** Metadata of a block's start and end. */
  metadata(): CoreMetadata;
  /** Called before a block opens. */
  onOpen(): void;
  emit(part: CorePart): void;
}): TextBlocks {
  const messages = new Map<string, Map<number, Block>>();
  // Deltas come in long rows for one block: the last one is found without a look-up.
  let lastMessage: string | undefined;
  let lastContent = -1;
  let lastBlock: Block | undefined;
  let hasText = false;

  function blockOf(message: string, content: number): Block {
    if (lastBlock !== undefined && message === lastMessage && content === lastContent) return lastBlock;
    const blocks = messages.get(message) ?? new Map<number, Block>();
    messages.set(message, blocks);
    const block = blocks.get(content) ?? { id: context.blockId(message, content), state: 'empty', length: 0, hash: 0 };
    blocks.set(content, block);
    lastMessage = message;
    lastContent = content;
    lastBlock = block;
    return block;
  }

  function write(block: Block, text: string): void {
    if (block.state === 'empty') {
      context.onOpen();
      block.state = 'open';
      hasText = true;
      context.emit({ type: 'text-start', id: block.id, providerMetadata: context.metadata() });
    }
    block.length += text.length;
    block.hash = hashOf(text, block.hash);
    context.emit({ type: 'text-delta', id: block.id, delta: text });
  }

  function closeBlock(block: Block): void {
    // A block that never opened may still get its text from a later snapshot.
    if (block.state !== 'open') return;
    block.state = 'closed';
    const { perplexity } = context.metadata();
    context.emit({
      type: 'text-end',
      id: block.id,
      providerMetadata: {
        perplexity: block.corrected === undefined ? perplexity : { ...perplexity, correctedText: block.corrected },
      },
    });
  }

  const close = (message: string) => {
    for (const block of messages.get(message)?.values() ?? []) closeBlock(block);
  };

  return {
    get hasText() {
      return hasText;
    },
    delta(message, content, delta) {
      if (delta === '') return;
      const block = blockOf(message, content);
      if (block.state !== 'closed') write(block, delta);
    },
    complete(message, content, text) {
      const block = blockOf(message, content);
      const continues = text.length >= block.length && hashOf(text, 0, block.length) === block.hash;
      if (continues) {
        delete block.corrected;
        if (text.length === block.length) return;
        // An id is never used twice: the rest of a closed block goes into one of its own.
        if (block.state === 'closed') Object.assign(block, { id: `${block.id}:more`, state: 'empty' });
        write(block, text.slice(block.length));
      } else if (text !== '' && block.state === 'open') {
        // A delta was lost or spoiled on the way. What is sent cannot be taken back, so the true text rides along.
        block.corrected = text;
      }
    },
    close,
    closeAll() {
      for (const message of messages.keys()) close(message);
    },
  };
}
