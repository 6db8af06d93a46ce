import { readFencedLine, readLine, type Fence, type LineStart } from './lines.js';
import { createParagraph, type Marker } from './paragraph.js';

export type { Marker } from './paragraph.js';

/**
 * Finds citation markers in Markdown that comes in pieces, cut anywhere; a whole text is one piece. It keeps nothing but
 * what it cannot decide yet.
 *
 * Not citations: what is in code spans, fenced blocks and indented code, `\[7]`, `a[7]=…`, links and images with their
 * texts and addresses. As in CommonMark a code span or a link does not reach into another block: a blank line, a fence, a heading, a list item, a
 * row of a table and a quote end it, and a run of backticks that nothing closes before is literal text. In a list
 * indented text is text.
 */
export type MarkerScanner = {
  push(text: string): void;
  /** The text is over: what is left is decided. */
  end(): void;
  /** So much of the text can go out: no marker begins before it that was not found. */
  settled(): number;
};

/** Whatever ends a line or means something in it. A piece without is text like the one before. */
const SPECIAL = /[\n\\`![\]]/;

/** `onMarker` gets the markers in their order, each as soon as it is certain. */
export function createMarkerScanner(onMarker: (marker: Marker) => void): MarkerScanner {
  const paragraph = createParagraph(onMarker);
  /** Read so far, the undecided beginning of a line included. */
  let length = 0;
  let isLineStart = true;
  let line = '';
  let fence: Fence | undefined;
  let isSingleLine = false;
  let isCodeLine = false;
  let isAfterBlank = true;
  let quotes = 0;
  let listIndent = 0;

  /** Reads as much of the text as can be decided; gives the rest. */
  function read(text: string, position: number, isLast: boolean): string {
    let at = 0;
    while (at < text.length) {
      if (isLineStart && !startLine(text, at, isLast)) return text.slice(at);
      const newline = text.indexOf('\n', at);
      const end = newline === -1 ? text.length : newline + 1;
      if (fence === undefined && !isCodeLine) paragraph.push(text.slice(at, end), position + at);
      at = end;
      isLineStart = newline !== -1;
      if (isLineStart && isSingleLine) {
        isSingleLine = false;
        paragraph.end();
      }
    }
    return '';
  }

  /** Whether it is known how the line begins. */
  function startLine(text: string, at: number, isLast: boolean): boolean {
    if (fence !== undefined) {
      const place = readFencedLine(text, at, isLast, fence);
      if (place === undefined) return false;
      if (place === 'inside') return true;
      fence = undefined;
      if (place === 'close') return true;
    }
    const start = readLine(text, at, isLast, listIndent);
    if (start !== undefined) enter(start);
    return start !== undefined;
  }

  function enter(start: LineStart): void {
    // A line with fewer quote marks may still go on with the quote's paragraph.
    if (start.kind !== 'text' || start.isItem || start.quotes > quotes) {
      paragraph.end();
      quotes = start.quotes;
    }
    // Indented by four or more after a blank line, or after such a line, and in no list: then it is code.
    const isIndented = start.column >= 4 && start.quotes === 0 && !start.isItem && listIndent === 0;
    isCodeLine = start.kind !== 'blank' && isIndented && (isAfterBlank || isCodeLine);
    isAfterBlank = start.kind === 'blank';
    if (start.kind === 'blank') return;
    if (isCodeLine) {
      isSingleLine = false;
      return;
    }
    listIndent = start.isItem ? start.column : Math.min(listIndent, start.column);
    isSingleLine = start.kind === 'single';
    fence = start.fence;
  }

  return {
    push(text) {
      // Almost every delta of a stream.
      if (!isLineStart && (fence !== undefined || paragraph.isIdle()) && !SPECIAL.test(text)) {
        length += text.length;
        paragraph.skip(length);
        return;
      }
      const position = length - line.length;
      length += text.length;
      line = read(line === '' ? text : line + text, position, false);
    },
    end() {
      read(line, length - line.length, true);
      line = '';
      paragraph.end();
    },
    settled() {
      const inLine = line.search(/!?\[|!$/);
      const inText = inLine === -1 ? length : length - line.length + inLine;
      return Math.min(inText, paragraph.undecided());
    },
  };
}
