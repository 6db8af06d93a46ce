/** The simulator: an offline Agent API. It imports nothing from the rest of `src`, so that a mistake cannot agree with itself. */
export { createAgentApiSimulator } from './simulator.js';
export { parseRecording } from './recording.js';
export type { AgentApiBackgroundOptions, AgentApiFault, AgentApiFaultStatus } from './fault-types.js';
export type { AgentApiErrorBody, ServerErrorStatus } from './errors.js';
export type {
  AgentApiRequestRecord,
  AgentApiResponse,
  AgentApiRunRecord,
  AgentApiScenario,
  AgentApiScenarioChooser,
  AgentApiScenarioName,
  AgentApiScenarioSettings,
  AgentApiSimulator,
  AgentApiSimulatorOptions,
  BodyEnd,
  CustomScenario,
  FailureShape,
  OutputItem,
  RunStatus,
  StreamEvent,
} from './types.js';
