/** The samples of one measure: taking them, and the figures that are formed of them. */
import { takeSample } from './processes.mjs';
import { interleave } from './rounds.mjs';
import { median, pairedRatio } from './statistics.mjs';

/**
 * Takes samples of a measure in interleaved rounds.
 *
 * A sample that fails is told and left out, so that one peer's failure does not cost the others' figures; the run as a whole
 * fails for it.
 *
 * @param {string} measure
 * @param {readonly { id: string }[]} tasks What `sample` of the measure is called with; `id` names the series.
 * @param {number} rounds
 * @param {(id: string, problem: string) => void} onFailure
 */
export async function takeSamples(measure, tasks, rounds, onFailure) {
  const taken = new Map(tasks.map(({ id }) => [id, []]));
  const failed = new Set();
  await interleave(tasks, rounds, async (task) => {
    if (failed.has(task.id)) return;
    try {
      taken.get(task.id).push(await takeSample(measure, task));
    } catch (error) {
      failed.add(task.id);
      onFailure(task.id, error.message);
    }
  });
  return samplesOf(taken);
}

/** @param {Map<string, object[]>} taken Figures of each series, by round. */
export function samplesOf(taken) {
  const series = (id, figure) => (taken.get(id) ?? []).map((sample) => sample[figure]);
  return {
    /** All that was measured. */
    raw: Object.fromEntries(taken),
    /** Median over the rounds. NaN for a series that is not there. */
    middle: (id, figure) => median(series(id, figure)),
    /** The largest of all rounds, likewise. */
    most: (id, figure) => (taken.get(id)?.length ? Math.max(...series(id, figure)) : NaN),
    /** Median of the ratios of two series, formed round by round. */
    ratio: (id, baseId, figure) => pairedRatio(series(id, figure), series(baseId, figure)),
  };
}
