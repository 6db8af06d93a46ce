import type { JSONObject } from '@ai-sdk/provider';
import { asObject, asText, parseJson, type WireObject } from '../json.js';
import type { Redactor } from '../redact.js';
import type { CoreMetadata, CorePart, FaceTraits, NativeToolId, ToolTable } from '../spec.js';
import { callError, nativeToolOf, toolOf, undeclaredName } from './native-tools.js';

/**
 * Calls of native tools as provider-executed parts: of those that the caller declared under the caller's key, of others,
 * where the face can show them, under the wire's name (design decision 7). In a stream the call is sent when it begins and
 * its result when it ends.
 */
export type NativeCalls = {
  /** The tool whose call or result an item is, where it has parts. */
  shownToolOf(item: WireObject): NativeToolId | undefined;
  /**
   * `output_item.added` of what is not the client's: a native call begins, announced by a function_call (`agent-api.md`
   * §4.4) or by its own item. What cannot be told yet waits for the item that is done.
   */
  begin(index: number, item: WireObject): void;
  /** A reasoning event, which may tell what a call that has begun is looking for. */
  progress(event: WireObject): void;
  /** A result item. True when it became a part. */
  finish(index: number, item: WireObject): boolean;
  /** Calls that have begun and never ended get a result that says so: without one a UI waits for ever. */
  settle(): void;
};

type RunningCall = { tool: NativeToolId; wireId: string | undefined; id?: string };

export function createNativeCalls(context: {
  tools: ToolTable;
  traits: Pick<FaceTraits, 'undeclaredTools'>;
  /** Id of a call by its place in the output: the same streamed or not, since results have none. */
  callId(index: number): string;
  /** Gives it out: another where it is taken, as the wire may give one place to two items. */
  freeId(wanted: string): string;
  metadata(): CoreMetadata;
  /** Takes secrets out of what a server may echo. */
  redact: Redactor;
  emit(part: CorePart): void;
}): NativeCalls {
  const running = new Map<number, RunningCall>();
  /** Places whose call has ended: what begins there again is a repetition. */
  const finished = new Set<number>();
  /** Those whose input is still open, by the wire's id of the call. */
  const waiting = new Map<string, number[]>();

  const { native, keys } = context.tools;

  /** Under which name a tool is shown. The flag is the same on all parts of a call (`sdk-matrix.md` §6, rule 11). */
  function nameOf(tool: NativeToolId): { toolName: string; dynamic?: true } {
    const toolName = native.get(tool);
    if (toolName !== undefined) return { toolName };
    return { toolName: undeclaredName(context.redact(tool), keys), dynamic: true };
  }

  function shownToolOf(item: WireObject): NativeToolId | undefined {
    const tool = toolOf(item);
    return tool !== undefined && (context.traits.undeclaredTools || native.has(tool)) ? tool : undefined;
  }

  function startCall(index: number, tool: NativeToolId, input: JSONObject): string {
    const id = context.freeId(context.callId(index));
    const name = nameOf(tool);
    const json = JSON.stringify(context.redact(input));
    context.emit({ type: 'tool-input-start', id, providerExecuted: true, ...name });
    context.emit({ type: 'tool-input-delta', id, delta: json });
    context.emit({ type: 'tool-input-end', id });
    context.emit({
      type: 'tool-call',
      toolCallId: id,
      input: json,
      providerExecuted: true,
      providerMetadata: context.metadata(),
      ...name,
    });
    return id;
  }

  function endCall(id: string, tool: NativeToolId, result: JSONObject, isError: boolean): void {
    context.emit({
      type: 'tool-result',
      toolCallId: id,
      result: context.redact(result),
      providerMetadata: context.metadata(),
      ...nameOf(tool),
      ...(isError && { isError }),
    });
  }

  return {
    shownToolOf,

    begin(index, item) {
      const tool = shownToolOf(item);
      if (tool === undefined || running.has(index) || finished.has(index)) return;
      const started: RunningCall = { tool, wireId: asText(item['call_id']) };
      running.set(index, started);
      const { wireId } = started;
      const isAnnounced = item['type'] === 'function_call';
      const source = isAnnounced ? (asObject(parseJson(asText(item['arguments']) ?? '')) ?? {}) : item;
      const input = nativeToolOf(tool).inputOf(source);
      if (Object.keys(input).length > 0) started.id = startCall(index, tool, input);
      else if (wireId !== undefined) waiting.set(wireId, [...(waiting.get(wireId) ?? []), index]);
    },

    progress(event) {
      const wireId = asText(event['call_id']) ?? '';
      const places = waiting.get(wireId);
      if (places === undefined) return;
      const stillWaiting = places.filter((index) => {
        const call = running.get(index);
        if (call === undefined || call.id !== undefined) return false;
        const input = nativeToolOf(call.tool).inputOf(event);
        if (Object.keys(input).length === 0) return true;
        call.id = startCall(index, call.tool, input);
        return false;
      });
      waiting.set(wireId, stillWaiting);
    },

    finish(index, item) {
      const id = item['type'] === 'function_call' ? undefined : shownToolOf(item);
      // Where another kind of item ends at a call's place, the call may still end in the final output.
      if (id === undefined) return false;
      const begun = running.get(index);
      if (begun?.tool === id) running.delete(index);
      finished.add(index);
      const tool = nativeToolOf(id);
      const begunId = begun?.tool === id ? begun.id : undefined;
      const callId = begunId ?? startCall(index, id, (tool.inputOfItem ?? tool.inputOf)(item));
      const error = callError(id, item);
      const result = tool.resultOf(item);
      endCall(callId, id, error === undefined ? result : { ...result, error }, error !== undefined);
      return true;
    },

    settle() {
      const error = 'The run ended before this call had a result.';
      for (const { id, tool } of running.values()) if (id !== undefined) endCall(id, tool, { error }, true);
      running.clear();
    },
  };
}
