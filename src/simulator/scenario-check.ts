import type { AgentApiBackgroundOptions, AgentApiFault, AgentApiFaultStatus } from './fault-types.js';
import type { AgentApiScenario, AgentApiScenarioName, AgentApiSimulatorOptions, CustomScenario } from './types.js';

/** The settings of each named scenario, besides `name`. */
const SETTINGS: Readonly<Record<AgentApiScenarioName, readonly string[]>> = {
  auto: [],
  plain: ['text'],
  search: [],
  'parallel-searches': [],
  fetch: [],
  people: [],
  finance: [],
  image: ['error'],
  sandbox: ['shape', 'outcome'],
  mcp: ['error', 'unreachable'],
  connector: ['error', 'unreachable'],
  'office-skill': [],
  'tool-call': ['calls', 'thoughtSignature', 'searchFirst'],
  structured: [],
  incomplete: ['empty'],
  failed: ['shape', 'usage'],
  'failed-early': ['shape', 'usage'],
  cancelled: [],
  unauthorized: [],
  'rate-limited': ['count', 'resetIn'],
  'server-error': ['status', 'html', 'count'],
  cut: ['afterEvents', 'afterBytes', 'end'],
  'unknown-events': [],
};

const CUSTOM: readonly (keyof CustomScenario)[] = ['events', 'response', 'status', 'headers', 'body', 'end'];

const OPTIONS: readonly (keyof AgentApiSimulatorOptions)[] = [
  'scenario',
  'apiKey',
  'eventDelay',
  'strict',
  'replay',
  'chunking',
  'seed',
  'background',
  'faults',
];

const BACKGROUND: readonly (keyof AgentApiBackgroundOptions)[] = [
  'queueTime',
  'replayWindow',
  'replayTime',
  'cancelPolls',
];

/** Throws a TypeError for a misspelt option: a test that asked for a fault must not get a good answer. */
export function checkOptions(options: AgentApiSimulatorOptions): void {
  refuseUnknown(options, OPTIONS, 'option of the simulator');
  const { background = {} } = options;
  refuseUnknown(background, BACKGROUND, 'option of background runs');
  refuseNegative(background, BACKGROUND);
  checkFaults(options.faults ?? []);
}

/** Throws a TypeError for a scenario or setting that does not exist. */
export function checkScenario(scenario: AgentApiScenario): void {
  const settings = typeof scenario === 'string' ? { name: scenario } : scenario;
  if (!('name' in settings)) return refuseUnknown(settings, CUSTOM, 'field of a custom scenario');
  if (!Object.hasOwn(SETTINGS, settings.name)) {
    const names = Object.keys(SETTINGS).join(', ');
    throw new TypeError(`There is no scenario '${settings.name as string}'. The scenarios are: ${names}.`);
  }
  refuseUnknown(settings, ['name', ...SETTINGS[settings.name]], `setting of the scenario '${settings.name}'`);
}

function refuseUnknown(given: object, known: readonly string[], what: string): void {
  const key = Object.keys(given).find((candidate) => !known.includes(candidate));
  if (key !== undefined) throw new TypeError(`'${key}' is no ${what}. Known: ${known.join(', ')}.`);
}

const WAITS_FOR: readonly AgentApiFault['on'][] = ['create', 'stream', 'reconnect', 'poll', 'cancel'];
const WITH_EVENTS: readonly AgentApiFault['on'][] = ['create', 'stream', 'reconnect'];
const WITH_RESPONSE: readonly AgentApiFault['on'][] = ['create', 'stream', 'reconnect', 'poll'];

interface FaultRule {
  needs?: readonly string[];
  takes?: readonly string[];
  /** What it can wait for, where it makes no sense everywhere. */
  on?: readonly AgentApiFault['on'][];
}

const CUT: FaultRule = { takes: ['afterEvents', 'afterBytes', 'halfEvent'] };

/** The fields of each fault, besides those that all have. */
const FAULTS: Readonly<Record<AgentApiFault['fault'], FaultRule>> = {
  reset: CUT,
  close: CUT,
  stall: CUT,
  duplicate: { needs: ['events'], on: WITH_EVENTS },
  'repeat-results': { on: WITH_RESPONSE },
  status: { needs: ['status'], takes: ['resetIn', 'retryAfter', 'html'] },
  refuse: {},
  'unknown-status': { needs: ['status'], on: ['poll'] },
  'error-event': { takes: ['afterEvents'], on: WITH_EVENTS },
  'keep-alive': { needs: ['every'], on: WITH_EVENTS },
};

const STATUSES: readonly unknown[] = [
  400, 401, 403, 404, 408, 409, 429, 500, 502, 503, 504,
] satisfies AgentApiFaultStatus[];

/** `status` of `unknown-status` is a text, that of `status` is checked by its list. */
const NUMBERS = ['times', 'skip', 'afterEvents', 'afterBytes', 'events', 'resetIn', 'retryAfter', 'every'];

/** Throws a TypeError for a fault that does not exist, or that can never happen. */
export function checkFaults(faults: readonly AgentApiFault[]): void {
  for (const fault of faults) checkFault(fault);
}

function checkFault(fault: AgentApiFault): void {
  refuseOther(fault.fault, Object.keys(FAULTS), 'fault');
  const { needs = [], takes = [], on = WAITS_FOR } = FAULTS[fault.fault];
  refuseOther(fault.on, on, `request that the fault '${fault.fault}' can wait for`);
  const known = ['on', 'times', 'skip', 'fault', ...needs, ...takes];
  refuseUnknown(fault, known, `field of the fault '${fault.fault}'`);
  const missing = needs.find((field) => !Object.hasOwn(fault, field));
  if (missing !== undefined) throw new TypeError(`The fault '${fault.fault}' needs '${missing}'.`);
  if (fault.fault === 'status') refuseOther(fault.status, STATUSES, 'status of a fault');
  refuseNegative(fault, NUMBERS);
  if (fault.fault === 'keep-alive' && !(fault.every > 0)) throw new TypeError("'every' must be above 0.");
}

function refuseNegative(given: object, fields: readonly string[]): void {
  const values = new Map<string, unknown>(Object.entries(given));
  const field = fields.find((name) => isNegative(values.get(name)));
  if (field !== undefined) throw new TypeError(`'${field}' must be a number of 0 or more.`);
}

const isNegative = (value: unknown) => value !== undefined && !(typeof value === 'number' && value >= 0);

function refuseOther(given: unknown, known: readonly unknown[], what: string): void {
  if (!known.includes(given)) throw new TypeError(`'${String(given)}' is no ${what}. Known: ${known.join(', ')}.`);
}
