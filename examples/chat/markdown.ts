/** Markdown on a terminal while it comes: what is printed is never changed again. */

export type MarkdownPrinter = {
  push(text: string): void;
  /** The text is over. */
  end(): void;
};

const CODES = { bold: [1, 22], code: [36, 39], heading: [1, 22] } as const;

type Style = keyof typeof CODES;

/** Prints as soon as it is clear what a piece is: `*` waits for the next character, the start of a line for its mark. */
export function createMarkdownPrinter(write: (text: string) => void, hasColours: boolean): MarkdownPrinter {
  /** The start of a line, or a star, that may still become a mark. */
  let held = '';
  let isLineStart = true;
  let isFenced = false;
  const active = new Set<Style>();

  const code = (style: Style, isOn: boolean) => (hasColours ? `\u001b[${CODES[style][isOn ? 0 : 1]}m` : '');

  function set(style: Style, isOn: boolean): string {
    if (active.has(style) === isOn) return '';
    if (isOn) active.add(style);
    else active.delete(style);
    return code(style, isOn);
  }

  /** What the start of a line stands for; undefined while that is open. */
  function readStart(text: string): string | undefined {
    const fence = /^ {0,3}```[^\n]*\n$/.exec(text);
    if (fence !== null) {
      isFenced = !isFenced;
      return set('code', isFenced);
    }
    if (/^ {0,3}(?:`{1,2}$|```)/.test(text)) return undefined;
    if (isFenced) return text;
    if (/^#{1,6} $/.test(text)) return set('heading', true);
    const item = /^( *)[-*] $/.exec(text);
    if (item !== null) return `${item[1]}• `;
    return /^(?:#{1,6}| *[-*]?)$/.test(text) ? undefined : inline(text);
  }

  function inline(text: string): string {
    let out = '';
    for (const character of text) {
      const pair = held + character;
      held = '';
      if (character === '*' && pair === '*') held = '*';
      else if (pair === '**') out += set('bold', !active.has('bold'));
      else if (character === '`') out += pair.slice(0, -1) + set('code', !active.has('code'));
      else out += pair;
    }
    return out;
  }

  function endLine(): string {
    const rest = held;
    held = '';
    const styles = isFenced ? [] : [...active];
    return rest + styles.map((style) => set(style, false)).join('');
  }

  function take(character: string): string {
    if (isLineStart) {
      held += character;
      if (character === '\n' && !/^ {0,3}```/.test(held)) {
        held = held.slice(0, -1);
        return `${endLine()}\n`;
      }
      const start = held;
      held = '';
      const shown = readStart(start);
      if (shown === undefined) {
        held = start;
        return '';
      }
      isLineStart = character === '\n';
      return shown;
    }
    if (character !== '\n') return isFenced ? character : inline(character);
    isLineStart = true;
    return `${endLine()}\n`;
  }

  return {
    push: (text) => write(Array.from(text, take).join('')),
    end: () => write(endLine() + (isFenced ? set('code', false) : '')),
  };
}
