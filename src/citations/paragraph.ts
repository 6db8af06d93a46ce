/** A bracket that is written like a citation and is neither code nor a link. Positions count UTF-16 units, as strings do. */
export type Marker = {
  start: number;
  /** Exclusive. */
  end: number;
  resultId: string;
  /** `[web:7]`, which nothing but a citation looks like; `[7]` may be an array's element. */
  isExplicit: boolean;
  /** Right after a `!`, which would make an image of a link. */
  isAfterBang: boolean;
};

/** Finds the markers of one paragraph after another, in text that comes in pieces. */
export type Paragraph = {
  /** A further piece, which begins at that position of the whole. */
  push(text: string, position: number): void;
  /** The paragraph is over: what could not be decided is decided now. */
  end(): void;
  /** Nothing is begun, so a piece without a special character need not be read. */
  isIdle(): boolean;
  /** Such a piece was passed over; the text goes on at that position. */
  skip(position: number): void;
  /** Where the first marker may begin that is not decided yet; Infinity where there is none. */
  undecided(): number;
};

/** The two forms that the API writes (`agent-api.md` §4.3). */
const MARKER = /\[(web:)?(\d{1,9})\]/y;
const MARKER_BEGUN = /\[(?:\d{1,9}|w|we|web|web:\d{0,9})?$/y;

const SPECIAL = /[\\`![\]]/g;

/** Where a marker may begin, with the `!` before it. */
const MAYBE_MARKER = /!?\[|!$/;

/** What stands between the parentheses of a link: an address, perhaps a title. */
const LINK_TARGET = /^\s*(?:<[^<>]*>|[^\s<]\S*)?(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;

/** A longer address is none, and a longer text is no link's, so that nothing is held back for ever. */
const LINK_TARGET_LIMIT = 2048;
const LINK_TEXT_LIMIT = 1000;
/** So many backticks in a row open nothing. */
const RUN_LIMIT = 256;

/** A code span that has begun, or may have: only a run of as many backticks in the same paragraph tells. */
type Code = {
  length: number;
  /** All from the opening run on, in case that it opens nothing. Joined once: a join per piece would be quadratic. */
  pieces: string[];
  size: number;
  /** Backticks in a row at the end of what was read. */
  run: number;
  /** Position of the first bracket in it. */
  bracket: number;
};

export function createParagraph(onMarker: (marker: Marker) => void): Paragraph {
  /** What is not decided, and its position. */
  let rest = '';
  let base = 0;
  let code: Code | undefined;
  /** Brackets that may open a link's text. */
  let openers: Array<{ position: number; isImage: boolean }> = [];
  /** The openers before this one have been given up; taking them out one by one would be quadratic. */
  let firstOpener = 0;
  /** Markers that may turn out to be part of a link's text. */
  let held: Marker[] = [];
  /** Length → position of the last run of backticks, once the paragraph is over. */
  let lastRuns: Map<number, number> | undefined;

  /** Goes as far as can be decided. */
  function read(from = 0): void {
    let at = from;
    while (at < rest.length) {
      SPECIAL.lastIndex = at;
      at = SPECIAL.exec(rest)?.index ?? rest.length;
      const next = at < rest.length ? step(at) : at;
      if (next === undefined) break;
      at = next;
    }
    if (code === undefined) {
      base += at;
      rest = rest.slice(at);
    }
    release(base);
  }

  const isLast = () => lastRuns !== undefined;
  const mustWait = (at: number) => at >= rest.length && !isLast();

  /** Takes the special character there; undefined where what follows is needed and not known. */
  function step(at: number): number | undefined {
    switch (rest[at]) {
      case '\\':
        return mustWait(at + 1) ? undefined : at + 2;
      case '`':
        return takeBackticks(at);
      case '!':
        if (mustWait(at + 1)) return undefined;
        return rest[at + 1] === '[' ? takeOpening(at + 1, true) : at + 1;
      case '[':
        return takeOpening(at, false);
      default:
        return takeClosing(at);
    }
  }

  function takeOpening(at: number, isAfterBang: boolean): number | undefined {
    MARKER.lastIndex = at;
    const [text, prefix, resultId] = MARKER.exec(rest) ?? [];
    if (text === undefined || resultId === undefined) {
      MARKER_BEGUN.lastIndex = at;
      if (!isLast() && MARKER_BEGUN.test(rest)) return undefined;
      openers.push({ position: base + at, isImage: isAfterBang });
      return at + 1;
    }
    const end = at + text.length;
    const linkEnd = linkEndAt(end);
    if (linkEnd === undefined) return undefined;
    if (linkEnd > 0) {
      if (!isAfterBang) closeAll();
      return linkEnd;
    }
    // A parameter in an address (`?ids[1]=3`) or an assignment.
    if (rest[end] === '=') return end;
    held.push({ start: base + at, end: base + end, resultId, isExplicit: prefix !== undefined, isAfterBang });
    return end;
  }

  function takeClosing(at: number): number | undefined {
    const opener = openers.length > firstOpener ? openers.at(-1) : undefined;
    if (opener === undefined) return at + 1;
    const linkEnd = base + at - opener.position > LINK_TEXT_LIMIT ? 0 : linkEndAt(at + 1);
    if (linkEnd === undefined) return undefined;
    openers.pop();
    if (linkEnd === 0) return at + 1;
    held = held.filter(({ start }) => start < opener.position);
    // A link's text holds no other link, so what has opened further out opens none.
    if (!opener.isImage) closeAll();
    return linkEnd;
  }

  /** Nothing that has opened can become a link any more. */
  function closeAll(): void {
    openers = [];
    firstOpener = 0;
  }

  /** Where the link ends whose target begins there; 0 where none does, undefined where that is not known yet. */
  function linkEndAt(start: number): number | undefined {
    if (mustWait(start)) return undefined;
    if (rest[start] !== '(') return 0;
    let depth = 0;
    const limit = Math.min(rest.length, start + LINK_TARGET_LIMIT);
    for (let at = start; at < limit; at++) {
      const char = rest[at];
      if (char === '\n') return 0;
      if (char === '\\') at++;
      else if (char === '(') depth++;
      else if (char === ')' && --depth === 0) return LINK_TARGET.test(rest.slice(start + 1, at)) ? at + 1 : 0;
    }
    return isLast() || limit < rest.length ? 0 : undefined;
  }

  function takeBackticks(at: number): number | undefined {
    let end = at;
    while (rest[end] === '`' && end - at < RUN_LIMIT) end++;
    const length = end - at;
    if (length === RUN_LIMIT) return end;
    if (mustWait(end)) return undefined;
    if (lastRuns !== undefined && (lastRuns.get(length) ?? -1) < base + end) return end;
    const found: Code = { length, pieces: [], size: 0, run: 0, bracket: Infinity };
    const close = searchClosing(found, rest.slice(end));
    if (close !== undefined) return end + close;
    if (isLast()) return rest.length;
    base += at;
    code = found;
    keep(code, rest.slice(at));
    rest = '';
    return undefined;
  }

  /** Looks for the closing run in a further piece; gives the index after it. */
  function searchClosing(span: Code, piece: string): number | undefined {
    let at = 0;
    for (;;) {
      if (span.run > 0) {
        for (; piece[at] === '`'; at++) span.run++;
        if (at === piece.length) return undefined;
        if (span.run === span.length) return at;
        span.run = 0;
      }
      at = piece.indexOf('`', at) + 1;
      if (at === 0) return undefined;
      span.run = 1;
    }
  }

  function keep(span: Code, piece: string): void {
    if (span.bracket === Infinity) {
      const index = piece.indexOf('[');
      const before = index === 0 ? span.pieces.at(-1)?.at(-1) : piece[index - 1];
      if (index >= 0) span.bracket = base + span.size + index - (before === '!' ? 1 : 0);
    }
    span.pieces.push(piece);
    span.size += piece.length;
  }

  /** Lets go of the markers that no link can claim any more. */
  function release(position: number): void {
    if (openers.length > 0 && openers.length <= firstOpener) closeAll();
    while (position - (openers[firstOpener]?.position ?? Infinity) > LINK_TEXT_LIMIT) firstOpener++;
    const first = openers[firstOpener]?.position ?? Infinity;
    let free = 0;
    while (free < held.length && (held[free] as Marker).start < first) free++;
    if (free > 0) for (const marker of held.splice(0, free)) onMarker(marker);
  }

  /** The last run of backticks of each length, by its position. */
  function runsIn(text: string): Map<number, number> {
    const runs = new Map<number, number>();
    for (const { 0: run, index } of text.matchAll(/`+/g)) runs.set(run.length, base + index);
    return runs;
  }

  return {
    push(text, position) {
      if (code !== undefined) {
        const close = searchClosing(code, text);
        if (close === undefined) return keep(code, text);
        base += code.size + close;
        code = undefined;
        rest = text.slice(close);
        return read();
      }
      if (rest === '') base = position;
      rest += text;
      read();
    },

    isIdle: () => rest === '' && code === undefined,

    skip(position) {
      if (held.length > 0) release(position);
    },

    end() {
      const isClosed = code !== undefined && code.run === code.length;
      if (code !== undefined && !isClosed) rest = code.pieces.join('');
      const opening = isClosed ? 0 : (code?.length ?? 0);
      code = undefined;
      lastRuns = rest === '' ? new Map() : runsIn(rest);
      // What opens a code span that nothing closes is literal, as in CommonMark.
      read(opening);
      closeAll();
      release(base);
      rest = '';
      lastRuns = undefined;
    },

    undecided() {
      const [first] = held;
      if (first !== undefined) return first.isAfterBang ? first.start - 1 : first.start;
      if (code !== undefined) {
        const endsWithBang = code.bracket === Infinity && code.pieces.at(-1)?.endsWith('!') === true;
        return endsWithBang ? base + code.size - 1 : code.bracket;
      }
      const index = rest.search(MAYBE_MARKER);
      return index === -1 ? Infinity : base + index;
    },
  };
}
