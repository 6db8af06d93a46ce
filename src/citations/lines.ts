/**
 * How a line of Markdown begins, as far as citations need to know: whether it is code, and whether a code span or a link
 * may go on from the line before. Works on a line of which only the beginning is there.
 */

export type Fence = {
  char: string;
  length: number;
  /** Quotes (`>`) around it; a line with fewer ends it. */
  quotes: number;
  /** Of a list item around it; a line with less ends it. */
  minIndent: number;
  /** Of its closing line. */
  maxIndent: number;
};

export type LineStart = {
  /** `single` is a block of one line: a heading, a row of a table. */
  kind: 'blank' | 'text' | 'single' | 'fence';
  quotes: number;
  /** Begins a list item. */
  isItem: boolean;
  /** Where what it says begins. */
  column: number;
  fence?: Fence;
};

/** Longer beginnings, and longer runs of a character, say nothing, so that a line never waits for long. */
const PREFIX_LIMIT = 256;

const ITEM = /(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n])/y;
const ITEM_BEGUN = /(?:[-+*]|\d{1,9}[.)]?)$/y;
const HEADING = /#{1,6}(?=[ \t\r\n])/y;
const HEADING_BEGUN = /#{1,6}$/y;

const matchesAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
};

type Space = { at: number; column: number };

function skipSpace(text: string, at: number, column: number): Space {
  let end = at;
  let reached = column;
  for (; end < text.length; end++) {
    const char = text[end];
    if (char === ' ') reached++;
    else if (char === '\t') reached += 4 - (reached % 4);
    else if (char !== '\r') break;
  }
  return { at: end, column: reached };
}

function runLength(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] === text[at] && end - at < PREFIX_LIMIT) end++;
  return end - at;
}

/**
 * Reads the beginning of a line outside of fences; undefined where more of it is needed to tell. `listIndent` is where
 * the text of the list item around it begins.
 */
export function readLine(text: string, start: number, isLast: boolean, listIndent: number): LineStart | undefined {
  let { at, column } = skipSpace(text, start, 0);
  let quotes = 0;
  let isItem = false;
  /** Where the block begins that the line's last quote or item mark opens. */
  let origin = 0;
  const line = (kind: LineStart['kind'], fence?: Fence): LineStart => ({
    kind,
    quotes,
    isItem,
    column,
    ...(fence !== undefined && { fence }),
  });

  for (;;) {
    if (at - start > PREFIX_LIMIT) return line('text');
    if (at === text.length) return isLast ? line('blank') : undefined;
    if (text[at] === '\n') return line(isItem ? 'text' : 'blank');
    const isQuote = text[at] === '>';
    const mark = isQuote ? 1 : matchesAt(ITEM, text, at);
    if (mark === 0) break;
    if (isQuote) quotes++;
    else isItem = true;
    origin = column + mark + 1;
    ({ at, column } = skipSpace(text, at + mark, column + mark));
  }

  const char = text[at];
  if (!isLast && (matchesAt(ITEM_BEGUN, text, at) > 0 || matchesAt(HEADING_BEGUN, text, at) > 0)) return undefined;
  if (char === '|' || matchesAt(HEADING, text, at) > 0) return line('single');
  if (char !== '`' && char !== '~') return line('text');

  const length = runLength(text, at);
  if (length === PREFIX_LIMIT) return line('text');
  if (at + length === text.length && !isLast) return undefined;
  const isInMark = isItem || quotes > 0;
  const deepest = (isInMark ? origin : listIndent) + 3;
  if (length < 3 || column > deepest) return line('text');
  if (char === '`') {
    // Its info string has no backtick; with one, the line is text with a code span.
    const info = text.slice(at + length, at + length + PREFIX_LIMIT);
    const end = info.search(/[\n`]/);
    if (end === -1 && info.length < PREFIX_LIMIT && !isLast) return undefined;
    if (info[end] !== '\n' && !(end === -1 && info.length < PREFIX_LIMIT)) return line('text');
  }
  const list = isItem ? column : column >= listIndent ? listIndent : 0;
  const minIndent = quotes > 0 ? 0 : list;
  return line('fence', { char, length, quotes, minIndent, maxIndent: quotes > 0 ? column + 3 : minIndent + 3 });
}

/** Reads the beginning of a line inside a fence. `left` is a line that is outside again, though no fence was closed. */
export function readFencedLine(
  text: string,
  start: number,
  isLast: boolean,
  fence: Fence,
): 'inside' | 'close' | 'left' | undefined {
  let { at, column } = skipSpace(text, start, 0);
  for (let quotes = 0; quotes < fence.quotes; quotes++) {
    if (at === text.length && !isLast) return undefined;
    if (text[at] !== '>') return 'left';
    ({ at, column } = skipSpace(text, at + 1, column + 1));
  }
  if (at - start > PREFIX_LIMIT) return 'inside';
  if (at === text.length) return isLast ? 'inside' : undefined;
  if (text[at] === '\n') return 'inside';
  if (column < fence.minIndent) return 'left';
  if (text[at] !== fence.char || column > fence.maxIndent) return 'inside';

  const end = at + runLength(text, at);
  if (end - at === PREFIX_LIMIT) return 'inside';
  if (end === text.length && !isLast) return undefined;
  if (end - at < fence.length) return 'inside';
  const after = skipSpace(text, end, 0).at;
  if (after - end > PREFIX_LIMIT) return 'inside';
  if (after === text.length) return isLast ? 'close' : undefined;
  return text[after] === '\n' ? 'close' : 'inside';
}
