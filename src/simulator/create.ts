/** POST /v1/agent: the scenario is chosen, played and turned into an answer. */
import type { AgentApiBackgroundOptions } from './fault-types.js';
import { TextSource } from './body-source.js';
import { buildResponse } from './envelope.js';
import { bareInvalidRequest, connectorFailed, invalidApiKey, rateLimited, serverError } from './errors.js';
import { lastResponse, streamEvents } from './events.js';
import { exhausted } from './headers.js';
import type { IdMaker } from './ids.js';
import { asString, isObject, type JsonObject } from './json.js';
import { ClockLife, PolledLife, type Course, type Life } from './life.js';
import { jsonReply, pageReply, refusalReply, scriptedEvents, streamReply, type Reply } from './reply.js';
import { viewRequest, type RequestView } from './request-view.js';
import { RunSource } from './run-stream.js';
import type { Run, RunStore } from './runs.js';
import { checkScenario } from './scenario-check.js';
import { playRun } from './scenarios/play.js';
import { addUnknownEvents } from './scenarios/unknown-events.js';
import { CutAfterBlocks, CutAfterBytes } from './source-edits.js';
import type {
  AgentApiResponse,
  AgentApiScenario,
  AgentApiScenarioChooser,
  AgentApiScenarioSettings,
  CustomScenario,
} from './types.js';
import { usageOf } from './usage.js';

/** What the create calls of one simulator share. */
export interface CreateState {
  ids: IdMaker;
  runs: RunStore;
  scenario: AgentApiScenario | AgentApiScenarioChooser;
  /** Failures that `count` scenarios have given since the scenario was set. */
  failures: number;
  background: AgentApiBackgroundOptions;
  /** Milliseconds before each event. */
  eventDelay: number;
}

/**
 * Answers one create request whose body has been checked.
 *
 * @throws Refusal for a `previous_response_id` that cannot be continued.
 */
export function create(body: JsonObject, state: CreateState): Reply {
  const view = viewRequest(body);
  const earlier = earlierResults(body, state.runs);
  const chosen = typeof state.scenario === 'function' ? state.scenario(body) : state.scenario;
  checkScenario(chosen);
  if (typeof chosen === 'object' && !('name' in chosen)) return playCustom(chosen, view, state);
  const settings: AgentApiScenarioSettings = typeof chosen === 'string' ? { name: chosen } : chosen;
  return httpFailure(settings, state) ?? playNamed(settings, view, earlier, state);
}

function earlierResults(body: JsonObject, runs: RunStore): JsonObject[] {
  const previous = asString(body.previous_response_id);
  if (previous === undefined) return [];
  const run = runs.find(previous);
  // Unknown, not over, or not completed: the API tells no cause (agent-api.md §8.3).
  if (run?.isContinuable !== true) throw bareInvalidRequest();
  return run.results;
}

function httpFailure(settings: AgentApiScenarioSettings, state: CreateState): Reply | undefined {
  if (settings.name === 'unauthorized') return refusalReply(invalidApiKey());
  if ('unreachable' in settings && settings.unreachable) return refusalReply(connectorFailed());
  if (settings.name !== 'rate-limited' && settings.name !== 'server-error') return undefined;
  if (state.failures >= (settings.count ?? Infinity)) return undefined;
  state.failures += 1;
  if (settings.name === 'rate-limited') {
    return refusalReply(rateLimited(), { rateLimit: exhausted(settings.resetIn) });
  }
  const refusal = serverError(settings.status ?? 500);
  return settings.html === true ? pageReply(refusal) : refusalReply(refusal);
}

function playNamed(
  settings: AgentApiScenarioSettings,
  view: RequestView,
  earlier: JsonObject[],
  state: CreateState,
): Reply {
  const { ids } = state;
  const responseId = ids.response();
  const plan = playRun({ view, ids, earlier }, settings);
  const response = buildResponse(view, {
    id: responseId,
    createdAt: ids.now(),
    status: plan.status,
    output: plan.output,
    usage: plan.usage === null || hidesUsage(view) ? null : usageOf(view, plan.usage),
    error: plan.error ?? null,
    incompleteReason: plan.incompleteReason,
  });
  const recorded = streamEvents(response, { ids, requestedModel: view.requestedModel, failure: plan.failure });
  const events = settings.name === 'unknown-events' ? addUnknownEvents(recorded) : recorded;
  return deliver(response, events, view, state, settings.name === 'cut' ? settings : undefined);
}

/** `stream_options: { include_usage: false }` (agent-api.md §2.1). */
const hidesUsage = ({ stream, body }: RequestView) =>
  stream && isObject(body.stream_options) && body.stream_options.include_usage === false;

type Cut = Extract<AgentApiScenarioSettings, { name: 'cut' }>;

function deliver(
  response: AgentApiResponse,
  events: readonly unknown[],
  view: RequestView,
  state: CreateState,
  cut: Cut | undefined,
): Reply {
  const course = { response, events };
  const run = addRun(course, lifeOf(course, view, state, cut), view, state);
  const base = { responseId: response.id, end: cut?.end };
  if (view.stream) return cutStream(openStream(run, state, base), events.length, cut);
  const text = JSON.stringify(view.background ? run.opened('queued') : response);
  const whole = new TextSource([text]);
  const source = cut === undefined ? whole : new CutAfterBytes(whole, cut.afterBytes ?? Math.floor(text.length / 2));
  return { status: 200, contentType: 'application/json', source, ...base };
}

/** By the clock in the background, unless there is nothing to wait for and nobody who reads. */
function lifeOf(course: Course, view: RequestView, state: CreateState, cut: Cut | undefined): Life {
  const { eventDelay } = state;
  const queueTime = state.background.queueTime ?? 0;
  if (!view.background) return new PolledLife(course, view.stream || cut !== undefined ? 'in_progress' : 'done');
  if (view.stream || queueTime > 0 || eventDelay > 0) return new ClockLife(course, queueTime, eventDelay);
  return new PolledLife(course, 'queued');
}

function addRun(course: Course, life: Life, view: RequestView, state: CreateState): Run {
  const { cancelPolls = 1 } = state.background;
  return state.runs.add({ ...course, life, requestedModel: view.requestedModel, cancelPolls });
}

function openStream(run: Run, state: CreateState, more: Partial<Reply>): Reply {
  run.streams += 1;
  return streamReply(new RunSource(run, 0, state.eventDelay), more);
}

function cutStream(reply: Reply, events: number, cut: Cut | undefined): Reply {
  if (cut === undefined) return reply;
  const half = cut.afterBytes === undefined ? Math.floor(events / 2) : Infinity;
  const source = new CutAfterBlocks(reply.source, cut.afterEvents ?? half);
  return { ...reply, source: cut.afterBytes === undefined ? source : new CutAfterBytes(source, cut.afterBytes) };
}

function playCustom(scenario: CustomScenario, view: RequestView, state: CreateState): Reply {
  const base = { headers: scenario.headers, end: scenario.end };
  const status = scenario.status ?? 200;
  if ('body' in scenario || status !== 200) {
    const { body = '' } = scenario;
    if (typeof body !== 'string') return jsonReply(body, { ...base, status });
    const contentType = body.startsWith('<') ? 'text/html' : 'text/plain';
    return { ...base, status, contentType, source: new TextSource([body]) };
  }
  const response = scenario.response ?? lastResponse(scenario.events ?? []);
  const events = scenario.events ?? (isObject(response) ? customEvents(response, view, state) : []);
  const run = isObject(response) ? customRun(response, events, view, state) : undefined;
  const responseId = run?.id;
  if (view.stream) {
    if (run !== undefined) return openStream(run, state, { ...base, responseId });
    return streamReply(scriptedEvents(events, state.eventDelay), base);
  }
  if (response === undefined) throw new TypeError('The scenario has no response for a request that does not stream.');
  return jsonReply(response, { ...base, responseId });
}

/** A scripted run is over from the start, unless it is streamed in the background. */
function customRun(
  response: JsonObject,
  events: readonly unknown[],
  view: RequestView,
  state: CreateState,
): Run | undefined {
  if (asString(response.id) === undefined) return undefined;
  const stored = { output: [], store: true, background: false, ...response } as unknown as AgentApiResponse;
  const course = { response: stored, events };
  const livesOn = view.stream && stored.background;
  const life = livesOn ? lifeOf(course, view, state, undefined) : new PolledLife(course, 'done');
  return addRun(course, life, view, state);
}

function customEvents(response: JsonObject, view: RequestView, state: CreateState): readonly unknown[] {
  const whole = { output: [], status: 'completed', ...response } as unknown as AgentApiResponse;
  return streamEvents(whole, { ids: state.ids, requestedModel: view.requestedModel });
}
