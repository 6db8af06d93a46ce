/** A final response turned into the stream that would have led to it, in the recorded order (agent-api.md §4.4, §5.3). */
import { snapshot } from './envelope.js';
import type { IdMaker } from './ids.js';
import { asString, isObject, objectsIn, sortKeys, type JsonObject } from './json.js';
import { nativeCall } from './native-calls.js';
import type { AgentApiResponse, FailureShape, OutputItem, StreamEvent } from './types.js';

/** What a stream needs besides the final response. */
export interface StreamSettings {
  ids: IdMaker;
  /** The model's name in the opening snapshots. */
  requestedModel: string;
  /** Where a failed run carries its error, default `both`. */
  failure?: FailureShape | undefined;
}

/** Numbers the events, and leaves out numbers where the recording does. */
class Recorder {
  readonly events: StreamEvent[] = [];
  private next = 0;

  add(type: string, payload: JsonObject): void {
    this.events.push(sortKeys({ ...payload, type, sequence_number: this.next }));
    this.next += 1;
  }

  skip(): void {
    this.next += 1;
  }
}

/** The events of a run that ended in `response`. */
export function streamEvents(response: AgentApiResponse, settings: StreamSettings): StreamEvent[] {
  const recorder = new Recorder();
  const opening = snapshot(response, settings.requestedModel, 'in_progress');
  recorder.add('response.created', { response: opening });
  recorder.add('response.in_progress', { response: opening });
  recorder.skip();
  let index = 0;
  while (index < response.output.length) {
    const group = nativeGroup(response.output, index);
    if (group.length > 0) addNativeStep(recorder, group, index, settings.ids);
    else addItem(recorder, response.output[index] as OutputItem, index, response.status);
    index += Math.max(group.length, 1);
  }
  addTerminal(recorder, response, settings.failure ?? 'both');
  return recorder.events;
}

/** The native items of one type that begin at `from`: the calls of one step, open together. */
function nativeGroup(output: OutputItem[], from: number): OutputItem[] {
  const first = output[from];
  const group: OutputItem[] = [];
  for (const item of output.slice(from)) {
    if (item.type !== first?.type || nativeCall(item) === undefined) break;
    group.push(item);
  }
  return group;
}

/** All calls are added, then all show their queries, then each brings its results and is done. */
function addNativeStep(recorder: Recorder, items: OutputItem[], firstIndex: number, ids: IdMaker): void {
  const steps = items.flatMap((item, offset) => {
    const call = nativeCall(item);
    // The nested form of a program's results repeats the id of its call.
    const callId = asString(item.call_id) ?? ids.call();
    return call === undefined ? [] : [{ item, call, callId, outputIndex: firstIndex + offset }];
  });
  for (const { call, callId, outputIndex } of steps) {
    const item = {
      type: 'function_call',
      id: ids.functionCall(),
      call_id: callId,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
      status: 'completed',
    };
    recorder.add('response.output_item.added', { output_index: outputIndex, item });
  }
  for (const { call, callId } of steps) {
    if (call.started)
      recorder.add(call.started.type, { ...call.started.payload, ...(call.withCallId && { call_id: callId }) });
  }
  for (const { item, call, callId, outputIndex } of steps) {
    if (call.finished)
      recorder.add(call.finished.type, { ...call.finished.payload, ...(call.withCallId && { call_id: callId }) });
    recorder.add('response.output_item.done', { output_index: outputIndex, item });
  }
}

function addItem(recorder: Recorder, item: OutputItem, outputIndex: number, status: AgentApiResponse['status']): void {
  if (item.type === 'message') return addMessage(recorder, item, outputIndex, status);
  if (item.type === 'function_call') {
    // A client call: `.added` is already whole and `.done` repeats it (agent-api.md §5.4).
    recorder.add('response.output_item.added', { output_index: outputIndex, item });
  }
  if (item.type === 'skill_loaded') recorder.add('response.skill.loaded', { name: item.name });
  // Results of an earlier turn, and items that no recording shows, come only finished.
  recorder.add('response.output_item.done', { output_index: outputIndex, item });
}

function addMessage(
  recorder: Recorder,
  item: OutputItem,
  outputIndex: number,
  status: AgentApiResponse['status'],
): void {
  const itemId = asString(item.id) ?? '';
  recorder.add('response.output_item.added', {
    output_index: outputIndex,
    item: { ...item, content: null, status: 'completed' },
  });
  const brokenOff = item.status === 'incomplete' && (status === 'failed' || status === 'cancelled');
  for (const [contentIndex, part] of objectsIn(item.content).entries()) {
    const text = asString(part.text) ?? '';
    const position = { item_id: itemId, output_index: outputIndex, content_index: contentIndex };
    for (const delta of tokens(text)) recorder.add('response.output_text.delta', { ...position, delta });
    if (brokenOff) return;
    recorder.skip();
    recorder.add('response.output_text.done', { ...position, text });
  }
  recorder.add('response.output_item.done', { output_index: outputIndex, item });
}

function addTerminal(recorder: Recorder, response: AgentApiResponse, failure: FailureShape): void {
  if (response.status !== 'failed') {
    recorder.add(`response.${response.status}`, { response });
    return;
  }
  if (failure === 'bare') {
    recorder.add('error', { message: isObject(response.error) ? response.error.message : '' });
    return;
  }
  recorder.add('response.failed', {
    ...(failure === 'response' ? {} : { error: response.error }),
    ...(failure === 'error' ? {} : { response }),
  });
}

/** The pieces in which a model would have written a text; joined, they are the text. */
function tokens(text: string): string[] {
  return text.match(/ ?\p{L}{1,9}| ?\p{N}{1,3}|\s+| ?[^\s\p{L}\p{N}]{1,3}/gu) ?? [];
}

/** The response in the last of some events that carries one; undefined when none does. */
export function lastResponse(events: readonly unknown[]): unknown {
  return objectsIn(events)
    .filter((event) => isObject(event.response))
    .at(-1)?.response;
}
