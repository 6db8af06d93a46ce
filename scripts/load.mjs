import { startProcesses, runRound } from './load/round.mjs';
import { PACES } from './load/plan.mjs';
const p = await startProcesses();
const streams = Number(process.argv[2] ?? 100);
const r = await runRound(p, { key: 'a', seed: Number(process.argv[3] ?? 1), streams, concurrency: streams, pace: PACES.load });
console.log({...r, differences: r.differences.length});
console.log(r.differences.slice(0,40).join('\n'));
console.log(await p.client.ask('memory'), await p.server.ask('sockets'), await p.client.ask('leftovers'), await p.client.ask('problems'), await p.server.ask('problems'));
console.log(await p.client.end(), await p.server.end());
