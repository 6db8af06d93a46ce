/**
 * The other end of the concurrency measure: answers each request with a stream whose events are written one by one, all
 * streams taking turns, as fast as it can. A request names wire and deltas in its path, `/agent/200/…`; what follows is the
 * provider's own.
 */
import { createServer } from 'node:http';
import { chunksOf, wireOf } from './wires/index.mjs';

const KEEP_ALIVE_MS = 60_000;
const known = new Map();
/** Replies that have chunks left. */
const open = new Set();
let isWriting = false;

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.once('close', () => open.delete(reply));
    const reply = { response, chunks: chunksAt(request.url), next: 0 };
    open.add(reply);
    if (!isWriting) setImmediate(writeRound);
    isWriting = true;
  });
});

/** One event of each stream, then whatever else the process has to do. */
function writeRound() {
  for (const reply of open) {
    const chunk = reply.chunks[reply.next];
    reply.next += 1;
    if (chunk !== undefined) {
      reply.response.write(chunk);
      continue;
    }
    open.delete(reply);
    reply.response.end();
  }
  isWriting = open.size > 0;
  if (isWriting) setImmediate(writeRound);
}

function chunksAt(path) {
  const [, wire, deltas] = path.split('/');
  const key = `${wire}/${deltas}`;
  if (!known.has(key)) known.set(key, [...chunksOf(wireOf(wire), Number(deltas), 'event')]);
  return known.get(key);
}

server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send({ port: server.address().port }));
process.once('disconnect', () => process.exit(0));
