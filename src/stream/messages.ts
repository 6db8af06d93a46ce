import { createFreeNames } from './free-names.js';

/**
 * Which message of the answer an event speaks of. By its id, if that is known; else by its place in the output, since a
 * place belongs to one message whatever its ids say; else by what it says (`agent-api.md` §14, questions 14 and 31).
 */
export type Message<Block> = {
  id: string | undefined;
  index: number | undefined;
  /** Id of its first block. */
  readonly blockId: string;
  /** By index of the content part. */
  readonly blocks: Map<number, Block>;
  /** The wire has said that it is over. */
  isClosed: boolean;
  /** The final output has named it. */
  isPaired: boolean;
};

export type Messages<Block> = {
  readonly all: readonly Message<Block>[];
  /** The message of a delta. */
  ofDelta(id: string | undefined, index: number | undefined): Message<Block>;
  /** The message of a whole text; `fits` tells whether the text goes on from what is there. */
  ofText(id: string | undefined, index: number | undefined, fits: (message: Message<Block>) => boolean): Message<Block>;
  /** From now on whole texts are those of the final output, which names these ids. */
  beginFinal(ids: readonly (string | undefined)[]): void;
};

export function createMessages<Block>(prefix: () => string): Messages<Block> {
  const all: Message<Block>[] = [];
  /** An id may be given to several messages; `open` is where those begin that the final output has not named. */
  const byId = new Map<string, { messages: Message<Block>[]; open: number }>();
  const byIndex = new Map<number, Message<Block>>();
  const freeId = createFreeNames();
  /** Messages that began without id and place. */
  const nameless: Message<Block>[] = [];
  /** Ids of the final output, once it came. */
  let finalIds: ReadonlySet<string | undefined> | undefined;
  // Deltas come in long rows for one message: the last one is found without a look-up.
  let last: Message<Block> | undefined;

  function add(id: string | undefined, index: number | undefined): Message<Block> {
    const blockId = freeId(id ?? `${prefix()}:text-${index ?? all.length}`);
    const message: Message<Block> = { id, index, blockId, blocks: new Map(), isClosed: false, isPaired: false };
    all.push(message);
    if (index !== undefined) byIndex.set(index, message);
    else if (id === undefined) nameless.push(message);
    return adopt(message, id);
  }

  function adopt(message: Message<Block>, id: string | undefined): Message<Block> {
    message.id ??= id;
    if (id === undefined) return message;
    const sharing = byId.get(id) ?? { messages: [], open: 0 };
    if (sharing.messages.at(-1) !== message) sharing.messages.push(message);
    byId.set(id, sharing);
    return message;
  }

  /** The message of an id: the latest, or in the final output the one that it has not named yet. */
  function ofId(id: string | undefined, index: number | undefined): Message<Block> | undefined {
    const sharing = id === undefined ? undefined : byId.get(id);
    if (sharing === undefined) return undefined;
    const latest = sharing.messages.at(-1);
    if (finalIds === undefined || sharing.messages.length < 2) return latest;
    while (sharing.messages[sharing.open]?.isPaired === true) sharing.open++;
    const there = index === undefined ? undefined : byIndex.get(index);
    return there?.id === id && !there?.isPaired ? there : (sharing.messages[sharing.open] ?? latest);
  }

  /** Two messages share an id when the first is over and the event stands at another place. */
  const isOver = (message: Message<Block>, index: number | undefined) =>
    message.isClosed && index !== undefined && message.index !== undefined && message.index !== index;

  const at = (id: string | undefined, index: number | undefined) =>
    index !== undefined ? byIndex.get(index) : id === undefined ? last : undefined;

  /** Whether a message may turn out to be the one of a text that goes by another id, or by none. */
  function isFree(message: Message<Block>, id: string | undefined): boolean {
    if (finalIds === undefined) return true;
    return !message.isPaired && (message.id === undefined || message.id === id || !finalIds.has(message.id));
  }

  return {
    all,

    ofDelta(id, index) {
      if (last !== undefined && id !== undefined && id === last.id && index === last.index) return last;
      const named = ofId(id, index);
      const there = at(id, index);
      if (named !== undefined && !isOver(named, index)) last = named;
      else if (there !== undefined && (id === undefined || !there.isClosed)) last = adopt(there, id);
      else last = add(id, index);
      return last;
    },

    ofText(id, index, fits) {
      const named = ofId(id, index);
      const there = at(id, index);
      const hasPlace = there !== undefined && isFree(there, id);
      const find = (): Message<Block> => {
        // Of an id that the final output gives to several messages, each that says something else is one of its own.
        const isAnother = named !== undefined && (finalIds === undefined ? isOver(named, index) : named.isPaired);
        if (named !== undefined && (!isAnother || fits(named))) return named;
        if (hasPlace && (fits(there) || !there.isClosed)) return adopt(there, id);
        // In the final output places may have shifted, and a message may have begun without id and place.
        const isNameless = (message: Message<Block>) => message.id === undefined && message.index === undefined;
        const other =
          finalIds === undefined
            ? nameless.find((message) => isNameless(message) && fits(message))
            : all.find((message) => isFree(message, id) && fits(message));
        if (other !== undefined) return adopt(other, id);
        // Without an id only the place counts, even where a delta was spoiled on the way.
        return hasPlace && id === undefined ? there : add(id, index);
      };
      const message = find();
      if (finalIds !== undefined) message.isPaired = true;
      return message;
    },

    beginFinal(ids) {
      finalIds = new Set(ids.filter((id) => id !== undefined));
    },
  };
}
