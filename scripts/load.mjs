/**
 * 2,000 calls at once against the simulator on real sockets, a twentieth of them with each fault: reset, stall, 429, 500, cut, slow
 * reader, abort. Each ends as its fault says, and the counts are those of the simulator's own ledger. Then a stream of 64 MB with a
 * reader that rests. Needs a build: `npm run load`.
 *
 *   node scripts/load.mjs [--streams 2000] [--seed N]
 */
import { readBigStream, megabytes } from './load/big.mjs';
import { aftermath, judge, readNumbers } from './load/command.mjs';
import { PACES } from './load/plan.mjs';
import { anySeed } from './load/random.mjs';
import { runRound, startProcesses } from './load/round.mjs';

const { streams, seed } = readNumbers({ streams: 2000, seed: anySeed() });
const again = `node scripts/load.mjs --streams ${streams} --seed ${seed}`;
console.log(`load: ${streams} calls at once, seed ${seed}`);

const processes = await startProcesses();
const round = await runRound(processes, {
  key: 'load',
  seed,
  streams,
  concurrency: streams,
  pace: PACES.load,
});
const { mostRss } = await processes.client.ask('memory');
const { most: mostSockets } = await processes.server.ask('sockets');
const big = await readBigStream(processes);
const differences = [...round.differences, ...big.differences, ...(await aftermath(processes))];

const counted = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
console.log(`kinds: ${counted(round.kinds)}`);
console.log(`ends, as the callers saw them: ${counted(round.ends)}`);
console.log(`runs, as the server knows them: ${counted(round.statuses)}`);
console.log(
  `${round.seconds.toFixed(1)} s, ${round.cpuSeconds.toFixed(1)} s of CPU, ${round.mostCalls} calls and ${mostSockets} sockets open together, peak RSS ${megabytes(mostRss)}`,
);
console.log(
  `a stream of ${big.figures.size}: ${big.figures.ahead} sent ahead of a reader that rests, ${big.figures.held} held at most`,
);
console.log(`${differences.length} differences`);
judge(differences, again);
