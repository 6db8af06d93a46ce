/** Markdown on a terminal while it comes: what is printed is never changed again. */
import { printable } from '../ask/printable.js';

export type MarkdownPrinter = {
  push(text: string): void;
  /** The text is over. */
  end(): void;
};

/** Switching a style on and off (ECMA-48). */
const CODES = { bold: [1, 22], code: [36, 39], link: [4, 24] } as const;

const HELD_LINE_START = /^(?: {0,3}#{1,6}|[ \t]*(?:[-*+]|`{1,2}|~{1,2}|`{3,}[^`\n]*|~{3,}[^\n]*)?)$/;
const FENCE = /^[ \t]*(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})[^\n]*(?:\n|$)/;
const HEADING = /^ {0,3}#{1,6} /;
const LIST_ITEM = /^([ \t]*)[-*+] /;
const LINK = /^\[([^[\]\n]+)\]\((https?:[^()\s]+)\)/;
/** What a link may still come of. */
const HELD_LINK = /^\[(?:[^[\]\n]{0,300}|[^[\]\n]{1,300}\](?:\([^()\s]{0,2000})?)$/;
const CITATION = /^\[web:(\d+)\]/;
const ESCAPED = /^\\[!-/:-@[-`{-~]/;

/** Prints as soon as it is clear what a piece is: `*` waits for what follows, the start of a line for its mark. */
export function createMarkdownPrinter(write: (text: string) => void, hasColours: boolean): MarkdownPrinter {
  /** What has come and is not printed, since its meaning is open. */
  let held = '';
  let isOver = false;
  let isLineStart = true;
  let isHeading = false;
  let isBold = false;
  /** The backticks that opened a code span, the marks that opened a fence. */
  let span = '';
  let fence = '';

  const code = (style: keyof typeof CODES, isOn: boolean) =>
    hasColours ? `\u001b[${CODES[style][isOn ? 0 : 1]}m` : '';

  const lengthOf = (pattern: RegExp) => pattern.exec(held)?.[0].length ?? 0;

  /** Takes so many characters and prints something for them. */
  function take(length: number, shown = held.slice(0, length)): string {
    held = held.slice(length);
    return shown;
  }

  /** The next piece; undefined where there is none or its meaning is open. */
  function next(): string | undefined {
    if (held === '') return undefined;
    if (isLineStart) return fence === '' ? lineStart() : fencedLineStart();
    if (held.startsWith('\n')) return endLine() + take(1);
    if (fence !== '') return take(lengthOf(/^[^\n]+/));
    return span === '' ? inline() : inSpan();
  }

  function lineStart(): string | undefined {
    if (!isOver && HELD_LINE_START.test(held)) return undefined;
    const [opening, marks] = FENCE.exec(held) ?? [];
    if (opening !== undefined && marks !== undefined) {
      fence = marks;
      return take(opening.length, code('code', true));
    }
    isLineStart = false;
    const heading = lengthOf(HEADING);
    if (heading > 0) {
      isHeading = true;
      return take(heading, code('bold', true));
    }
    const [item, indent] = LIST_ITEM.exec(held) ?? [];
    return item === undefined ? '' : take(item.length, `${indent}• `);
  }

  function fencedLineStart(): string | undefined {
    const mark = fence[0] ?? '';
    if (!isOver && new RegExp(`^[ \\t]*${mark}*[ \\t]*$`).test(held)) return undefined;
    const closing = lengthOf(new RegExp(`^[ \\t]*${mark}{${fence.length},}[ \\t]*(?:\\n|$)`));
    if (closing > 0) {
      fence = '';
      return take(closing, code('code', false));
    }
    isLineStart = false;
    return '';
  }

  function inSpan(): string | undefined {
    const ticks = lengthOf(/^`+/);
    if (ticks === 0) return take(lengthOf(/^[^`\n]+/));
    if (ticks === held.length && !isOver) return undefined;
    if (ticks !== span.length) return take(ticks);
    span = '';
    return take(ticks, code('code', false));
  }

  function inline(): string | undefined {
    switch (held[0]) {
      case '`': {
        const ticks = lengthOf(/^`+/);
        if (ticks === held.length && !isOver) return undefined;
        span = held.slice(0, ticks);
        return take(ticks, code('code', true));
      }
      case '*':
        if (!isOver && /^\*\*?$/.test(held)) return undefined;
        if (!held.startsWith('**')) return take(1);
        // Stars before a blank are no mark, as in `2 ** 3`.
        if (!isBold && !/^\*\*\S/.test(held)) return take(2);
        isBold = !isBold;
        return take(2, isHeading ? '' : code('bold', isBold));
      case '[':
        return bracket();
      case '\\':
        if (!isOver && held === '\\') return undefined;
        return ESCAPED.test(held) ? take(2, held[1]) : take(1);
      default:
        return take(lengthOf(/^[^\n`*[\\]+/));
    }
  }

  function bracket(): string | undefined {
    const [link, label, url] = LINK.exec(held) ?? [];
    if (link !== undefined) return take(link.length, `${code('link', true)}${label}${code('link', false)} (${url})`);
    if (!isOver && HELD_LINK.test(held)) return undefined;
    const [marker, number] = CITATION.exec(held) ?? [];
    // The list of references knows pages by their number.
    return marker === undefined ? take(1) : take(marker.length, `[${number}]`);
  }

  /** No style but that of a fence goes on in the next line. */
  function endLine(): string {
    isLineStart = true;
    const shown = (span === '' ? '' : code('code', false)) + (isBold || isHeading ? code('bold', false) : '');
    [span, isBold, isHeading] = ['', false, false];
    return shown;
  }

  function flush(): void {
    let out = '';
    for (let shown = next(); shown !== undefined; shown = next()) out += shown;
    if (out !== '') write(out);
  }

  return {
    push(text) {
      held += printable(text);
      flush();
    },
    end() {
      isOver = true;
      flush();
      const rest = endLine() + (fence === '' ? '' : code('code', false));
      if (rest !== '') write(rest);
    },
  };
}
