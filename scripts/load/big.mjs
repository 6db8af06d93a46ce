/** Backpressure: a stream of 64 MB that its reader leaves alone for a while must neither be read nor sent meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import { bigBytes, bigCost, bigTokens } from './big-stream.mjs';

const DELTAS = 1024;
/** Read before the reader rests. */
const FIRST_DELTAS = 32;
const REST_MS = 3000;
/** Buffers of both sockets, of `fetch` and of one event, with room to spare; an eighth of the stream. */
const MOST_BYTES = 8 * 1024 * 1024;

const LANE = { scenario: 'big', eventDelay: 0, faults: [] };
const MB = 1024 * 1024;

/** Tells the figures, and what differed. */
export async function readBigStream({ client, server, origin }) {
  const round = 'big';
  const before = await client.ask('memory');
  await client.ask('bigOpen', { origin, round, lane: LANE, count: DELTAS });
  await client.ask('bigRead', { count: FIRST_DELTAS });
  await pause(REST_MS / 2);
  const sentBefore = await sentBytes(server);
  await pause(REST_MS / 2);
  const sentAfter = await sentBytes(server);
  const resting = await client.ask('memory');
  const { mostMemory } = await client.ask('bigRead', {});
  const end = await client.ask('bigEnd');
  await server.ask('forget', { round });

  const base = before.heapUsed + before.external;
  const grownAtRest = resting.heapUsed + resting.external - base;
  const grown = mostMemory - base;
  const ahead = sentAfter - bigBytes(FIRST_DELTAS);
  const differences = [];
  const atMost = (what, bytes) => {
    if (bytes > MOST_BYTES)
      differences.push(`big stream: ${what} ${megabytes(bytes)}, at most ${megabytes(MOST_BYTES)}`);
  };
  atMost('sent ahead of its reader', ahead);
  atMost('held while its reader rested', grownAtRest);
  atMost('held while it was read', grown);
  if (sentAfter !== sentBefore) {
    differences.push(`big stream: ${sentAfter - sentBefore} bytes were sent while its reader rested`);
  }
  const expected = { deltas: DELTAS, finishReason: 'stop', totalTokens: bigTokens, totalCost: bigCost };
  for (const [name, value] of Object.entries(expected)) {
    if (end[name] !== value) differences.push(`big stream: ${name}: got ${end[name]}, expected ${value}`);
  }
  const figures = { size: megabytes(bigBytes(DELTAS)), ahead: megabytes(ahead), held: megabytes(grown) };
  return { figures, differences };
}

/** What the server has handed to the one socket that is busy, what waits in its process not counted. */
async function sentBytes(server) {
  const written = await server.ask('written');
  return Math.max(...written.map(({ bytesWritten }) => bytesWritten));
}

export const megabytes = (bytes) => `${(bytes / MB).toFixed(1)} MB`;
