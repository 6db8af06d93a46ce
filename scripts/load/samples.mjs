/** What the samples of a soak say. */

/** Samples that a slope can be told from. */
const FEWEST = 8;

/** The slope of the heap, by least squares; undefined where there are too few samples. */
export function growthOf(samples) {
  if (samples.length < FEWEST) return undefined;
  const kilobytes = samples.map(({ heapUsed }) => heapUsed / 1024);
  const slopeOver = (name) =>
    slope(
      samples.map((sample) => sample[name]),
      kilobytes,
    );
  return { kbPerMinute: slopeOver('minute'), kbPer1000Calls: slopeOver('calls') * 1000 };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function slope(xs, ys) {
  const [x, y] = [mean(xs), mean(ys)];
  let above = 0;
  let below = 0;
  for (const [index, value] of xs.entries()) {
    above += (value - x) * (ys[index] - y);
    below += (value - x) ** 2;
  }
  return above / below;
}

const MOST_ROWS = 30;
const mb = (bytes) => (bytes / 1024 / 1024).toFixed(2);

/** Some of the samples, evenly spread, the last one among them. */
export function tableOf(samples) {
  const every = Math.ceil(samples.length / MOST_ROWS);
  const shown = samples.filter((_, index) => (samples.length - 1 - index) % every === 0);
  return [
    '| Minute | Calls | Heap, MB | External, MB | RSS, MB | Sockets | Handles |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...shown.map(
      ({ minute, calls, heapUsed, external, rss, sockets, handles }) =>
        `| ${minute.toFixed(1)} | ${calls} | ${mb(heapUsed)} | ${mb(external)} | ${mb(rss)} | ${sockets} | ${handles} |`,
    ),
    '',
  ];
}
