import { create, type CreateState } from './create.js';
import {
  cannotCancel,
  chatCompletionsGone,
  invalidApiKey,
  invalidRequest,
  notFound,
  payloadTooLarge,
  Refusal,
} from './errors.js';
import { faultTarget, FaultQueue } from './faults.js';
import { fileContent, fileList } from './files.js';
import { requestId } from './headers.js';
import { createIdMaker } from './ids.js';
import { isObject, type JsonObject } from './json.js';
import { modelList } from './prices.js';
import { parseRecording } from './recording.js';
import { jsonReply, refusalReply, toResponse, type Reply } from './reply.js';
import { retrieve } from './retrieve.js';
import { routeOf, type Route } from './routes.js';
import { RunStore } from './runs.js';
import { checkFaults, checkOptions, checkScenario } from './scenario-check.js';
import { checkRequest } from './strictness/check-request.js';
import { kindOf } from './strictness/decode.js';
import { byteLength } from './strictness/rules.js';
import type {
  AgentApiRequestRecord,
  AgentApiScenario,
  AgentApiScenarioChooser,
  AgentApiSimulator,
  AgentApiSimulatorOptions,
} from './types.js';

/** agent-api.md §1, Sizes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** What a simulator remembers, and forgets with `reset`. */
interface State extends CreateState {
  faults: FaultQueue;
}

/**
 * An offline Agent API: hand its `fetch` to a client, or serve it with `listen` of `./simulator/node`. It refuses what the
 * API is said to refuse, answers with invented but plausible text, sources and costs, and records what it was asked.
 *
 * @throws TypeError for an option, scenario or setting that does not exist, and when both `scenario` and `replay` are given.
 * @throws SyntaxError when `replay` is a text with a line that is not JSON.
 */
export function createAgentApiSimulator(options: AgentApiSimulatorOptions = {}): AgentApiSimulator {
  checkOptions(options);
  const requests: AgentApiRequestRecord[] = [];
  const initial = initialScenario(options);
  const newState = (): State => ({
    ids: createIdMaker(options.seed),
    runs: new RunStore(),
    scenario: initial,
    failures: 0,
    background: options.background ?? {},
    eventDelay: options.eventDelay ?? 0,
    faults: new FaultQueue(options.faults ?? []),
  });
  let state = newState();

  return {
    requests,
    get runs() {
      return state.runs.records;
    },
    inject(...faults) {
      checkFaults(faults);
      state.faults.add(faults);
    },
    use(scenario) {
      if (typeof scenario !== 'function') checkScenario(scenario);
      state.scenario = scenario;
      state.failures = 0;
    },
    reset() {
      state = newState();
      requests.length = 0;
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      const signal = signalOf(input, init);
      signal?.throwIfAborted();
      const record = newRecord(request);
      requests.push(record);
      const text = await request.text();
      record.body = text === '' ? undefined : (parsed(text)?.value ?? text);
      const reply = answer(request, text, record, state, options);
      record.status = reply.status;
      record.responseId ??= reply.responseId;
      return toResponse(reply, {
        chunking: options.chunking ?? 'event',
        signal,
        caller: input,
        fallbackRequestId: requestId(state.ids.response()),
        onAbort: () => {
          record.aborted = true;
        },
      });
    },
  };
}

function initialScenario(options: AgentApiSimulatorOptions): AgentApiScenario | AgentApiScenarioChooser {
  if (options.replay === undefined) {
    const scenario = options.scenario ?? 'auto';
    if (typeof scenario !== 'function') checkScenario(scenario);
    return scenario;
  }
  if (options.scenario !== undefined) throw new TypeError('Give either `scenario` or `replay`, not both.');
  return { events: typeof options.replay === 'string' ? parseRecording(options.replay) : [...options.replay] };
}

/** The signal as the caller gave it. */
function signalOf(...[input, init]: Parameters<typeof globalThis.fetch>): AbortSignal | undefined {
  if (init?.signal !== undefined) return init.signal ?? undefined;
  return typeof input === 'object' && 'signal' in input ? input.signal : undefined;
}

function newRecord(request: Request): AgentApiRequestRecord {
  return {
    method: request.method,
    url: request.url,
    path: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
    body: undefined,
    status: undefined,
    aborted: false,
    responseId: undefined,
  };
}

function answer(
  request: Request,
  text: string,
  record: AgentApiRequestRecord,
  state: State,
  options: AgentApiSimulatorOptions,
): Reply {
  try {
    checkKey(request.headers.get('authorization'), options.apiKey);
    const route = routeOf(request.method, new URL(request.url));
    if ('id' in route) record.responseId = route.id;
    const body = route.call === 'create' ? readBody(text, options.strict ?? true) : {};
    return state.faults.around(faultTarget(route, body), () => dispatch(route, body, state));
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error);
    throw error;
  }
}

/** Every call needs a key, `/v1/models` too, whatever the docs say (agent-api.md §1, Auth). */
function checkKey(authorization: string | null, accepted: string | undefined): void {
  const key = /^Bearer\s+(?<key>\S+)$/iu.exec(authorization ?? '')?.groups?.key;
  if (key === undefined || (accepted !== undefined && key !== accepted)) throw invalidApiKey();
}

/** `body` is that of a create call. */
function dispatch(route: Route, body: JsonObject, state: State): Reply {
  switch (route.call) {
    case 'create':
      return create(body, state);
    case 'retrieve':
      return retrieve(state.runs.retrieve(route.id), route, state);
    case 'cancel': {
      if (state.runs.find(route.id)?.cancel() !== true) throw cannotCancel();
      return jsonReply({ response_id: route.id, status: 'cancelling' });
    }
    case 'files':
      return fileList(state.runs.retrieve(route.id));
    case 'file-content':
      return fileContent(state.runs.retrieve(route.id), route.fileId);
    case 'models':
      return jsonReply(modelList());
    case 'retired':
      throw chatCompletionsGone();
    default:
      throw notFound();
  }
}

function readBody(text: string, strict: boolean): JsonObject {
  if (byteLength(text) > MAX_BODY_BYTES) throw payloadTooLarge();
  const json = parsed(text);
  if (json === undefined) throw invalidRequest('invalid request body: not valid JSON');
  if (!isObject(json.value)) {
    throw invalidRequest(`invalid request body: json: cannot unmarshal ${kindOf(json.value)} into the request`);
  }
  if (strict) checkRequest(json.value);
  return json.value;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
