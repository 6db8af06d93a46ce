/** GET of a run: a snapshot, or its events taken up again (agent-api.md §10). */
import type { AgentApiBackgroundOptions } from './fault-types.js';
import { invalidRequest, replayOver } from './errors.js';
import type { IdMaker } from './ids.js';
import { jsonReply, streamReply, type Reply } from './reply.js';
import type { Route } from './routes.js';
import { positionAfter, RunSource } from './run-stream.js';
import type { Run } from './runs.js';

/** What answers depend on besides the run. */
export interface RetrieveSettings {
  ids: IdMaker;
  background: AgentApiBackgroundOptions;
  eventDelay: number;
}

/**
 * Answers a GET of a run.
 *
 * @throws Refusal 400 for a reconnect to a foreground run, with a cursor that is no number, or beyond what is kept.
 */
export function retrieve(run: Run, route: Extract<Route, { call: 'retrieve' }>, settings: RetrieveSettings): Reply {
  const responseId = run.id;
  if (!route.stream) return jsonReply(run.poll(settings.ids.now()), { responseId });
  // Only background runs are said to survive a dropped stream (agent-api.md §10); what others answer is not documented.
  if (!run.response.background || Number.isNaN(route.startingAfter)) throw invalidRequest('invalid request');
  const position = positionAfter(run.events, route.startingAfter);
  if (isForgotten(run, position, settings.background)) throw replayOver();
  run.streams += 1;
  const source = new RunSource(run, position, settings.eventDelay, route.startingAfter);
  return streamReply(source, { responseId, earlier: run.events.slice(0, Math.min(position, run.life.happened)) });
}

/** Whether the events from a position on are out of reach. */
function isForgotten(run: Run, position: number, background: AgentApiBackgroundOptions): boolean {
  const { replayWindow = Infinity, replayTime = Infinity } = background;
  return position < run.life.happened - replayWindow || Date.now() > run.life.endsAt + replayTime;
}
