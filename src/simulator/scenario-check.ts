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
  failed: ['shape'],
  'failed-early': ['shape'],
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
];

/** Throws a TypeError for a misspelt option: a test that asked for a fault must not get a good answer. */
export function checkOptions(options: AgentApiSimulatorOptions): void {
  refuseUnknown(options, OPTIONS, 'option of the simulator');
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
