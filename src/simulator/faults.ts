/** Which fault hits which request. What it does to the answer stands in `fault-effects.ts`. */
import type { AgentApiFault } from './fault-types.js';
import { answerInstead, applied, isInstead, needsStream } from './fault-effects.js';
import type { JsonObject } from './json.js';
import type { Reply } from './reply.js';
import type { Route } from './routes.js';

/** What faults can wait for in a request. */
export interface FaultTarget {
  on: 'create' | 'reconnect' | 'poll' | 'cancel';
  isStream: boolean;
}

/** A request as faults see it; undefined when none can wait for it. `body` is that of a create call. */
export function faultTarget(route: Route, body: JsonObject): FaultTarget | undefined {
  switch (route.call) {
    case 'create':
      return { on: 'create', isStream: body.stream === true };
    case 'retrieve':
      return { on: route.stream ? 'reconnect' : 'poll', isStream: route.stream };
    case 'cancel':
      return { on: 'cancel', isStream: false };
    default:
      return undefined;
  }
}

interface Entry {
  fault: AgentApiFault;
  toPass: number;
  toHit: number;
}

/** The faults of a simulator that are still to come. */
export class FaultQueue {
  private readonly entries: Entry[] = [];

  constructor(faults: readonly AgentApiFault[]) {
    this.add(faults);
  }

  add(faults: readonly AgentApiFault[]): void {
    for (const fault of faults) this.entries.push({ fault, toPass: fault.skip ?? 0, toHit: fault.times ?? 1 });
  }

  /** The answer to a request, or what a fault makes of it. What `answer` throws meets no fault. */
  around(target: FaultTarget | undefined, answer: () => Reply): Reply {
    const entry = target && this.entries.find(({ fault, toHit }) => toHit > 0 && waitsFor(fault, target));
    if (entry === undefined) return answer();
    const { fault } = entry;
    if (isInstead(fault)) return hits(entry) ? answerInstead(fault) : answer();
    const reply = answer();
    return reply.status === 200 && hits(entry) ? applied(fault, reply) : reply;
  }
}

function waitsFor(fault: AgentApiFault, target: FaultTarget): boolean {
  const isAwaited = fault.on === 'stream' ? target.isStream : fault.on === target.on;
  return isAwaited && (target.isStream || !needsStream(fault));
}

/** Counts a request that has met the fault. */
function hits(entry: Entry): boolean {
  const isHit = entry.toPass <= 0;
  if (isHit) entry.toHit -= 1;
  else entry.toPass -= 1;
  return isHit;
}
