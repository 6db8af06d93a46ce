/** The table, in Markdown. */

/** How a figure is written. Counts are exact, all others are rounded to what the noise leaves of them. */
const WRITTEN = {
  '×': (value) => `${value < 0.1 ? value.toFixed(3) : value.toFixed(2)} ×`,
  '%': (value) => `${value.toFixed(0)} %`,
  µs: (value) => `${significant(value)} µs`,
  ms: (value) => `${significant(value)} ms`,
  KB: (value) => `${significant(value)} KB`,
  MB: (value) => `${significant(value)} MB`,
  count: (value) => String(value),
};

const significant = (value) => value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);

/**
 * @param {readonly import('./rows.mjs').Row[]} rows
 * @param {{ official: string, client: string }} titles Headings of the peers that have a column of their own.
 */
export function makeTable(rows, titles) {
  const notes = [...new Set(rows.map(({ note }) => note))];
  const head = ['Measure', 'Ours', titles.official, 'Other AI SDK providers', titles.client, 'Goal', 'Met'];
  const lines = rows.map((row) => [
    `${row.measure} [^${notes.indexOf(row.note) + 1}]`,
    written(row.ours, row.unit),
    written(row.official, row.unit),
    range(row.providers, row.unit),
    written(row.client, row.unit),
    goalOf(row),
    { true: 'yes', false: '**no**', undefined: '–' }[String(isMet(row))],
  ]);
  const table = [head, ['---', ...head.slice(1).map(() => '---:')], ...lines].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  return [...table, '', ...notes.map((note, index) => `[^${index + 1}]: ${note}`)].join('\n');
}

/**
 * Whether the goal is met; undefined where there is none. A figure that could not be taken meets none.
 *
 * @param {import('./rows.mjs').Row} row
 */
export function isMet({ ours, official, providers, goal }) {
  if (goal === undefined) return undefined;
  if (!isFigure(ours)) return false;
  if (goal.atMost !== undefined) return ours <= goal.atMost;
  return [official, ...providers].filter(isFigure).every((figure) => ours < figure);
}

function goalOf({ goal, unit }) {
  if (goal === undefined) return '–';
  if (goal.atMost === undefined) return 'below every AI SDK provider';
  const limit = `at most ${written(goal.atMost, unit)}`;
  return goal.aim === undefined ? limit : `${written(goal.aim, unit)}, ${limit}`;
}

const isFigure = (value) => value !== undefined && !Number.isNaN(value);

/** A dash where nothing was to be measured, a word where it could not be. */
function written(value, unit) {
  if (value === undefined) return '–';
  if (Number.isNaN(value)) return 'failed';
  return value === Infinity ? 'stopped' : WRITTEN[unit](value);
}

/** From the least to the most; who failed is said. */
function range(values, unit) {
  const figures = values.filter(isFigure);
  if (figures.length === 0) return written(values[0], unit);
  const ends = [Math.min(...figures), Math.max(...figures)].map((value) => written(value, unit));
  const [least, most] = ends.map((text, index) => (index === 0 ? text.replace(` ${unit}`, '') : text));
  const told = ends[0] === ends[1] ? most : `${least} to ${most}`;
  return figures.length === values.length ? told : `${told}, ${values.length - figures.length} failed`;
}
