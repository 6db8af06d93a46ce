import { asText, dateOf, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart } from '../spec.js';

/** What is known of a run while its events come in. */
export type RunFacts = {
  /** Takes a snapshot; tells about id and model as soon as they are known, and again when the served model is. */
  note(response: WireObject | undefined): void;
  /** Takes the place of an event in the stream; places have holes (`agent-api.md` §5.1). */
  noteSequence(event: WireObject): void;
  /** Prefix of ids: the response id, or one of ours where the wire never names the run. */
  prefix(): string;
  /** Metadata that each part carries, so that an app knows whose it is. */
  metadata(): CoreMetadata;
  readonly responseId: string | undefined;
  /** The model that answers. Until a run has ended the wire names the level here (§4.1), which is no model. */
  readonly servedModel: string | undefined;
  readonly status: string | undefined;
  readonly lastSequenceNumber: number | undefined;
};

export function createRunFacts(context: { generateId(): string; emit(part: CorePart): void }): RunFacts {
  let responseId: string | undefined;
  let modelId: string | undefined;
  let status: string | undefined;
  let lastSequenceNumber: number | undefined;
  let ownPrefix: string | undefined;

  return {
    get responseId() {
      return responseId;
    },
    get servedModel() {
      return modelId?.includes('/') === true ? modelId : undefined;
    },
    get status() {
      return status;
    },
    get lastSequenceNumber() {
      return lastSequenceNumber;
    },
    prefix: () => responseId ?? (ownPrefix ??= context.generateId()),
    metadata: () => ({ perplexity: responseId === undefined ? {} : { responseId } }),
    noteSequence(event) {
      const place = event['sequence_number'];
      if (typeof place === 'number' && place > (lastSequenceNumber ?? -1)) lastSequenceNumber = place;
    },
    note(response) {
      if (response === undefined) return;
      const id = responseId ?? asText(response['id']);
      const model = asText(response['model']) ?? modelId;
      status = asText(response['status']) ?? status;
      if (id === responseId && model === modelId) return;
      responseId = id;
      modelId = model;
      const timestamp = dateOf(response['created_at']);
      context.emit({
        type: 'response-metadata',
        ...(id !== undefined && { id }),
        ...(timestamp !== undefined && { timestamp }),
        ...(model !== undefined && { modelId: model }),
      });
    },
  };
}
