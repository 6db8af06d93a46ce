/** POST /v1/agent: the scenario is chosen, played and turned into an answer. */
import { eventBlock } from './body-stream.js';
import { buildResponse } from './envelope.js';
import { bareInvalidRequest, connectorFailed, invalidApiKey, rateLimited, serverError } from './errors.js';
import { lastResponse, streamEvents } from './events.js';
import { exhausted } from './headers.js';
import type { IdMaker } from './ids.js';
import { asString, isObject, type JsonObject } from './json.js';
import { jsonReply, refusalReply, type Reply } from './reply.js';
import { viewRequest, type RequestView } from './request-view.js';
import type { RunStore } from './runs.js';
import { checkScenario } from './scenario-check.js';
import { playRun } from './scenarios/play.js';
import { addUnknownEvents } from './scenarios/unknown-events.js';
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
  if (settings.html !== true) return refusalReply(refusal);
  const page = `<html><head><title>${refusal.status} ${refusal.message}</title></head><body>edge</body></html>`;
  return { status: refusal.status, contentType: 'text/html', blocks: [page] };
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
  const isPlainJson = !view.stream && !view.background;
  const run = state.runs.add({
    response,
    events,
    requestedModel: view.requestedModel,
    phase: isPlainJson && cut === undefined ? 'done' : view.stream || !view.background ? 'in_progress' : 'queued',
  });
  const base = { responseId: response.id, end: cut?.end };
  if (!view.stream) {
    const text = JSON.stringify(view.background ? run.opened('queued') : response);
    const afterBytes = cut === undefined ? undefined : (cut.afterBytes ?? Math.floor(text.length / 2));
    return { status: 200, contentType: 'application/json', blocks: [text], afterBytes, ...base };
  }
  const half = cut?.afterBytes === undefined ? Math.floor(events.length / 2) : undefined;
  const sent = cut === undefined ? events : events.slice(0, cut.afterEvents ?? half);
  const onDone = cut === undefined ? () => run.finish() : undefined;
  return { ...streamReply(sent), afterBytes: cut?.afterBytes, onDone, ...base };
}

/** The answer that plays these events. */
export function streamReply(events: readonly unknown[]): Reply {
  return { status: 200, contentType: 'text/event-stream', blocks: events.map(eventBlock) };
}

function playCustom(scenario: CustomScenario, view: RequestView, state: CreateState): Reply {
  const base = { headers: scenario.headers, end: scenario.end };
  const status = scenario.status ?? 200;
  if ('body' in scenario || status !== 200) {
    const { body = '' } = scenario;
    if (typeof body !== 'string') return jsonReply(body, { ...base, status });
    return { ...base, status, contentType: body.startsWith('<') ? 'text/html' : 'text/plain', blocks: [body] };
  }
  const response = scenario.response ?? lastResponse(scenario.events ?? []);
  const events = scenario.events ?? (isObject(response) ? customEvents(response, view, state) : []);
  const responseId = isObject(response) ? asString(response.id) : undefined;
  if (isObject(response) && responseId !== undefined) {
    const stored = { output: [], store: true, background: false, ...response } as unknown as AgentApiResponse;
    state.runs.add({ response: stored, events, requestedModel: view.requestedModel, phase: 'done' });
  }
  if (view.stream) return { ...streamReply(events), ...base, responseId };
  if (response === undefined) throw new TypeError('The scenario has no response for a request that does not stream.');
  return jsonReply(response, { ...base, responseId });
}

function customEvents(response: JsonObject, view: RequestView, state: CreateState): readonly unknown[] {
  const whole = { output: [], status: 'completed', ...response } as unknown as AgentApiResponse;
  return streamEvents(whole, { ids: state.ids, requestedModel: view.requestedModel });
}
