/**
 * The code blocks of a Markdown file, with what comments around them say. A reader sees none of the comments:
 *
 * - `<!-- simulator: cut -->` before a block: the scenario it runs against, a name or JSON. Default: `auto`.
 * - `<!-- sends: {…} -->` before a block: what the body of its first request must hold.
 * - `<!-- append … -->` before a block: code that is run after it, for a block that only defines something.
 * - `<!-- not-run: reason -->` before a block: it is only type-checked.
 * - a `text` block, or a comment `<!-- prints … -->`, after a block: what it prints, where `…` stands for anything.
 */
export type Block = {
  language: string;
  code: string;
  /** Line of the opening fence, from 1. */
  line: number;
  simulator: string | undefined;
  sends: string | undefined;
  append: string | undefined;
  notRun: string | undefined;
  /** What a runnable block must print. */
  prints: string | undefined;
};

type Piece = { kind: 'comment'; text: string } | { kind: 'block'; block: Block };

const NAMES = ['simulator', 'sends', 'append', 'not-run', 'prints'];

export function blocksOf(markdown: string): Block[] {
  const pieces = piecesOf(markdown);
  pieces.forEach((piece, index) => {
    if (piece.kind !== 'block') return;
    const { block } = piece;
    for (let before = index - 1; before >= 0; before--) {
      const comment = pieces[before];
      if (comment?.kind !== 'comment') break;
      block.simulator ??= valueOf(comment.text, 'simulator');
      block.sends ??= valueOf(comment.text, 'sends');
      block.append ??= valueOf(comment.text, 'append');
      block.notRun ??= valueOf(comment.text, 'not-run');
    }
    const after = pieces[index + 1];
    if (after?.kind === 'comment') block.prints = valueOf(after.text, 'prints');
    else if (after?.block.language === 'text') block.prints = after.block.code.trimEnd();
  });
  return pieces.flatMap((piece) => (piece.kind === 'block' ? [piece.block] : []));
}

/** Comments and blocks in their order. A comment with a name that means nothing here is a mistake. */
function piecesOf(markdown: string): Piece[] {
  const pieces: Piece[] = [];
  for (const match of markdown.matchAll(/^<!--\s*([\s\S]*?)-->|^```(\w*)\n([\s\S]*?)^```$/gm)) {
    const [, comment, language, code = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    if (comment === undefined) {
      const none = { simulator: undefined, sends: undefined, append: undefined, notRun: undefined, prints: undefined };
      pieces.push({ kind: 'block', block: { language: language ?? '', code, line, ...none } });
      continue;
    }
    const name = /^[\w-]*/.exec(comment)?.[0] ?? '';
    if (!NAMES.includes(name))
      throw new Error(`Line ${line}: a comment says '${name}', known are ${NAMES.join(', ')}.`);
    pieces.push({ kind: 'comment', text: comment });
  }
  return pieces;
}

function valueOf(comment: string, name: string): string | undefined {
  return comment.startsWith(name) ? comment.slice(name.length).replace(/^:/, '').trim() : undefined;
}

/** Whether a program printed what was announced; line ends and blanks around it do not count. */
export function isAnnounced(printed: string, announced: string): boolean {
  const pattern = announced
    .split('…')
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(printed.trim());
}

export type Table = { heading: string; header: string[]; rows: string[][] };

/** The tables, each with the nearest heading above it. Backticks of cells are kept. */
export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = [];
  let heading = '';
  let open: Table | undefined;
  for (const line of markdown.replace(/^```[\s\S]*?^```$/gm, '').split('\n')) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) {
      open = undefined;
      continue;
    }
    const cells = line.split('|').slice(1, -1);
    const trimmed = cells.map((cell) => cell.trim());
    if (open === undefined) {
      open = { heading, header: trimmed, rows: [] };
      tables.push(open);
    } else if (!/^-+$/.test(trimmed[0] ?? '')) {
      open.rows.push(trimmed);
    }
  }
  return tables;
}
