/**
 * Measures the package beside its peers: `npm run bench`, or `npm run bench -- --short`. Prints one Markdown table on stdout,
 * tells its progress on stderr and writes all figures to `bench/results/`. Exits with 1 when a measurement failed or a text
 * came out wrong; a goal that is missed is told in the table and fails nothing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { adapterOf, titleOf } from './lib/adapters.mjs';
import { readArguments, UsageError } from './lib/arguments.mjs';
import { prepare } from './lib/install.mjs';
import { describeCommit, describeMachine, load } from './lib/machine.mjs';
import { at } from './lib/places.mjs';
import { takeSamples } from './lib/samples.mjs';
import { isMet, makeTable } from './lib/table.mjs';

const titles = { official: titleOf(adapterOf('perplexity-ai-5')), client: titleOf(adapterOf('perplexity-sdk-ai-5')) };

try {
  await run(readArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function run({ mode, measures, rounds: wantedRounds }) {
  prepare();
  const began = new Date();
  const head = { date: began.toISOString(), mode, commit: describeCommit(), machine: describeMachine() };
  const failures = [];
  const rows = [];
  const raw = {};
  for (const name of measures) {
    const start = performance.now();
    const { measure, plans } = await import(`./measures/${name}.mjs`);
    const plan = plans[mode];
    const onFailure = (id, problem) => {
      failures.push({ measure: name, id, problem });
      console.error(`FAIL ${name}, ${id}: ${problem}`);
    };
    const taken = await measure({
      plan,
      rounds: wantedRounds ?? plan.rounds,
      onFailure,
      take: (tasks, rounds) => takeSamples(name, tasks, rounds, onFailure),
    });
    rows.push(...taken.rows);
    raw[name] = taken.raw;
    console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  const machine = { ...head.machine, loadAtEnd: load() };
  const results = { ...head, machine, rows: rows.map((row) => ({ ...row, isMet: isMet(row) })), failures, raw };
  console.log(`${makeTable(rows, titles)}\n\n${signatureOf(results)}`);
  console.error(`All figures: ${write(results, began)}`);
  if (failures.length > 0) process.exitCode = 1;
}

function signatureOf({ date, mode, commit, machine }) {
  const code =
    commit === undefined ? 'no commit' : `commit ${commit.id.slice(0, 10)}${commit.hasChanges ? ' with changes' : ''}`;
  return [
    `${date.slice(0, 10)}, ${mode} run of ${code}; Node ${machine.node}, ${machine.platform}, ${machine.cores} × ${machine.cpu},`,
    `load ${machine.load} at the start and ${machine.loadAtEnd} at the end.`,
  ].join(' ');
}

/** @returns {string} The file. */
function write(results, began) {
  const file = at('results', `${began.toISOString().replaceAll(':', '-').slice(0, 19)}.json`);
  mkdirSync(at('results'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  return file;
}
