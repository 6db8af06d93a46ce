import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import { asObject, asObjects, asText, asTexts, parseJson, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart, NativeToolType, ToolTable } from '../spec.js';
import { fetchUrlResult } from '../tools/fetch-url.js';
import { webSearchResult } from '../tools/web-search.js';

/**
 * Calls of native tools that the caller declared, as provider-executed parts under the caller's key (design decision
 * 7). In a stream the call is sent when it begins and its result when it ends.
 */
export type NativeCalls = {
  /** `output_item.added` of a function_call that is not the client's: a native call begins (`agent-api.md` §4.4). */
  begin(index: number, call: WireObject): void;
  /** A reasoning event, which may tell what a call that has begun is looking for. */
  progress(event: WireObject): void;
  /** A result item. True when it became a part. */
  finish(index: number, item: WireObject): boolean;
  /** Calls that have begun and never ended get a result that says so: without one a UI waits for ever. */
  settle(): void;
};

type NativeTool = {
  /** Names under which the wire announces a call; only the first is recorded, the others are likely (§4.4). */
  callNames: readonly string[];
  /** The item that ends a call. */
  itemType: string;
  /** What is being looked for, from call arguments or a reasoning event. */
  inputOf(source: WireObject): JSONObject;
  /** The same, where only the result tells. */
  inputOfItem(item: WireObject): JSONObject;
  resultOf(item: WireObject): JSONValue;
};

const listInput = (key: string, values: string[]): JSONObject => (values.length > 0 ? { [key]: values } : {});

const NATIVE_TOOLS: Readonly<Record<NativeToolType, NativeTool>> = {
  web_search: {
    callNames: ['search_web', 'web_search'],
    itemType: 'search_results',
    inputOf: (source) => listInput('queries', asTexts(source['queries'])),
    inputOfItem: (item) => listInput('queries', asTexts(item['queries'])),
    resultOf: (item) => webSearchResult(item),
  },
  fetch_url: {
    callNames: ['fetch_url', 'fetch_url_content'],
    itemType: 'fetch_url_results',
    inputOf: (source) => listInput('urls', asTexts(source['urls'])),
    inputOfItem: (item) => listInput('urls', asTexts(asObjects(item['contents']).map(({ url }) => url))),
    resultOf: (item) => fetchUrlResult(item),
  },
};

const toolByCallName = new Map<string, NativeToolType>();
const toolByItemType = new Map<string, NativeToolType>();
for (const [type, tool] of Object.entries(NATIVE_TOOLS) as Array<[NativeToolType, NativeTool]>) {
  for (const name of tool.callNames) toolByCallName.set(name, type);
  toolByItemType.set(tool.itemType, type);
}

/** The declared tool whose result an item is, if any. */
export function declaredToolOf(tools: ToolTable, itemType: string | undefined): NativeToolType | undefined {
  const type = itemType === undefined ? undefined : toolByItemType.get(itemType);
  return type !== undefined && tools.native.has(type) ? type : undefined;
}

type RunningCall = { type: NativeToolType; wireId: string | undefined; id?: string };

export function createNativeCalls(context: {
  tools: ToolTable;
  /** Id of a call by its place in the output: the same streamed or not, since results have none. */
  callId(index: number): string;
  metadata(): CoreMetadata;
  emit(part: CorePart): void;
}): NativeCalls {
  const running = new Map<number, RunningCall>();
  const usedIds = new Set<string>();

  const keyOf = (type: NativeToolType) => context.tools.native.get(type) ?? type;

  function startCall(index: number, type: NativeToolType, input: JSONObject): string {
    let id = context.callId(index);
    // Only where the wire gives one place to two items.
    while (usedIds.has(id)) id += '+';
    usedIds.add(id);
    const toolName = keyOf(type);
    const json = JSON.stringify(input);
    context.emit({ type: 'tool-input-start', id, toolName, providerExecuted: true });
    context.emit({ type: 'tool-input-delta', id, delta: json });
    context.emit({ type: 'tool-input-end', id });
    context.emit({
      type: 'tool-call',
      toolCallId: id,
      toolName,
      input: json,
      providerExecuted: true,
      providerMetadata: context.metadata(),
    });
    return id;
  }

  function endCall(id: string, type: NativeToolType, result: JSONValue, isError: boolean): void {
    context.emit({
      type: 'tool-result',
      toolCallId: id,
      toolName: keyOf(type),
      result,
      ...(isError && { isError }),
      providerMetadata: context.metadata(),
    });
  }

  return {
    begin(index, call) {
      const type = toolByCallName.get(asText(call['name']) ?? '');
      if (type === undefined || !context.tools.native.has(type) || running.has(index)) return;
      const started: RunningCall = { type, wireId: asText(call['call_id']) };
      running.set(index, started);
      const input = NATIVE_TOOLS[type].inputOf(asObject(parseJson(asText(call['arguments']) ?? '')) ?? {});
      if (Object.keys(input).length > 0) started.id = startCall(index, type, input);
    },

    progress(event) {
      const wireId = asText(event['call_id']);
      if (wireId === undefined) return;
      for (const [index, call] of running) {
        if (call.wireId !== wireId || call.id !== undefined) continue;
        const input = NATIVE_TOOLS[call.type].inputOf(event);
        if (Object.keys(input).length > 0) call.id = startCall(index, call.type, input);
      }
    },

    finish(index, item) {
      const type = declaredToolOf(context.tools, asText(item['type']));
      // Where another kind of item ends at a call's place, the call may still end in the final output.
      if (type === undefined) return false;
      const begun = running.get(index);
      if (begun?.type === type) running.delete(index);
      const tool = NATIVE_TOOLS[type];
      const begunId = begun?.type === type ? begun.id : undefined;
      const id = begunId ?? startCall(index, type, tool.inputOfItem(item));
      const error = asText(item['error']) ?? asText(asObject(item['error'])?.['message']);
      const result = tool.resultOf(item);
      endCall(id, type, error === undefined ? result : { ...asObject(result), error }, error !== undefined);
      return true;
    },

    settle() {
      const error = 'The run ended before this call had a result.';
      for (const { id, type } of running.values()) if (id !== undefined) endCall(id, type, { error }, true);
      running.clear();
    },
  };
}
