import { asText, dateOf, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart } from '../spec.js';
import { isTerminalStatus } from './finish.js';
import type { PerplexityAgentPartMetadata } from './metadata.js';

/** What is known of a run while its events come in. */
export type RunFacts = {
  /** Takes a snapshot; tells about id and model as soon as they are known, and again when the served model is. */
  note(response: WireObject | undefined): void;
  /** Takes an id that the reply's header gives; should an event name another one, that one counts. */
  adopt(id: string): void;
  /** Takes the place of an event in the stream; places have holes (`agent-api.md` §5.1). */
  noteSequence(event: WireObject): void;
  /** Prefix of ids: the response id, or one of ours where the wire never names the run. */
  prefix(): string;
  /** Metadata that each part carries, so that an app knows whose it is and where the stream stood. */
  metadata(): CoreMetadata;
  responseId(): string | undefined;
  /** Who was asked, by the name that the wire gives until a run has ended: a level or a model (§4.1). */
  namedTarget(): string | undefined;
  /** The model that answers. Until a run has ended the wire names the level here (§4.1), which is no model. */
  servedModel(): string | undefined;
  status(): string | undefined;
  lastSequenceNumber(): number | undefined;
  /** True where the run is told from its beginning although the caller has had that. */
  readonly restarted: true | undefined;
};

export function createRunFacts(context: {
  /** Id of a run that is known before its first event. */
  responseId: string | undefined;
  /** Parts tell where in the stream they stood, since it can be taken up again there. */
  tellsPlace: boolean;
  /** The parts begin with the run's first word again, though the caller asked for what came after a number. */
  isRestarted: boolean;
  generateId(): string;
  emit(part: CorePart): void;
}): RunFacts {
  let { responseId } = context;
  let isTold = false;
  let isAdopted = false;
  let namedTarget: string | undefined;
  let modelId: string | undefined;
  let status: string | undefined;
  let lastSequenceNumber: number | undefined;
  let ownPrefix: string | undefined;
  const restarted = context.isRestarted ? true : undefined;

  function tell(timestamp: Date | undefined): void {
    isTold = true;
    context.emit({
      type: 'response-metadata',
      ...(responseId !== undefined && { id: responseId }),
      ...(timestamp !== undefined && { timestamp }),
      ...(modelId !== undefined && { modelId }),
    });
  }

  return {
    responseId: () => responseId,
    namedTarget: () => namedTarget,
    servedModel: () => (modelId?.includes('/') === true ? modelId : undefined),
    status: () => status,
    lastSequenceNumber: () => lastSequenceNumber,
    restarted,
    prefix: () => responseId ?? (ownPrefix ??= context.generateId()),
    metadata() {
      const perplexity: PerplexityAgentPartMetadata = {};
      if (responseId !== undefined) perplexity.responseId = responseId;
      if (context.tellsPlace && lastSequenceNumber !== undefined) perplexity.lastSequenceNumber = lastSequenceNumber;
      if (restarted) perplexity.restarted = restarted;
      return { perplexity };
    },
    noteSequence(event) {
      const place = event['sequence_number'];
      if (typeof place === 'number' && place > (lastSequenceNumber ?? -1)) lastSequenceNumber = place;
      // Events after a number no longer name their run, which the caller named.
      if (!isTold && responseId !== undefined && event['response'] === undefined) tell(undefined);
    },
    adopt(id) {
      responseId = id;
      isAdopted = true;
      tell(undefined);
    },
    note(response) {
      if (response === undefined) return;
      const named = asText(response['id']);
      const id = isAdopted ? (named ?? responseId) : (responseId ?? named);
      isAdopted &&= named === undefined;
      const model = asText(response['model']) ?? modelId;
      status = asText(response['status']) ?? status;
      // When a run has ended, the wire names the model that answered. A level's name stays in cancelled runs (§4.1).
      const isRunning = status !== undefined && !isTerminalStatus(status);
      if (isRunning || model?.includes('/') === false) namedTarget ??= model;
      if (isTold && id === responseId && model === modelId) return;
      if (id === undefined && model === undefined) return;
      responseId = id;
      modelId = model;
      tell(dateOf(response['created_at']));
    },
  };
}
