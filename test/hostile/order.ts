/** The rules of a stream that hold for every specification; `check-stream.mjs` knows more, where it is at hand. */
import { isDeepStrictEqual } from 'node:util';

export type AnyPart = Record<string, unknown> & { type: string };

const START = /^(text|reasoning|tool-input)-start$/;
const DELTA = /^(text|reasoning|tool-input)-delta$/;
const END = /^(text|reasoning|tool-input)-end$/;

/** What is wrong with the order and the shape of the parts; a stream that was aborted owes nothing more. */
export function problemsOf(parts: readonly AnyPart[]): string[] {
  const problems: string[] = [];
  const blocks = new Map<string, 'open' | 'closed'>();
  const calls = new Map<unknown, AnyPart>();
  const results = new Set<unknown>();
  const sources = new Set<unknown>();
  const say = (index: number, problem: string) => problems.push(`${index} ${parts[index]?.type}: ${problem}`);

  parts.forEach((part, index) => {
    if ((part.type === 'stream-start') !== (index === 0)) say(index, 'stream-start is the first part and no other');
    if ((part.type === 'finish') !== (index === parts.length - 1)) say(index, 'finish is the last part and no other');
    const kind = /^(text|reasoning|tool-input)-/.exec(part.type)?.[1];
    const block = `${kind} ${String(part['id'])}`;
    if (START.test(part.type)) {
      if (blocks.has(block)) say(index, `${block} begins twice`);
      blocks.set(block, 'open');
    }
    if (DELTA.test(part.type)) {
      if (blocks.get(block) !== 'open') say(index, `${block} is not open`);
      if (typeof part['delta'] !== 'string') say(index, 'delta is no text');
    }
    if (END.test(part.type)) {
      if (blocks.get(block) !== 'open') say(index, `${block} is not open`);
      blocks.set(block, 'closed');
    }
    if (part.type === 'tool-call') {
      if (calls.has(part['toolCallId'])) say(index, `${String(part['toolCallId'])} is called twice`);
      calls.set(part['toolCallId'], part);
      if (typeof part['input'] !== 'string') say(index, 'input is no text');
    }
    if (part.type === 'tool-result') {
      if (!calls.has(part['toolCallId'])) say(index, 'a result without a call');
      if (results.has(part['toolCallId'])) say(index, 'a second result');
      results.add(part['toolCallId']);
      if (part['result'] === undefined || part['result'] === null) say(index, 'a result of nothing');
    }
    if (part.type === 'source') {
      if (sources.has(part['id'])) say(index, 'a source id comes twice');
      sources.add(part['id']);
      if (!/^https?:\/\//i.test(String(part['url']))) say(index, 'an address that is no page');
    }
    if (part.type === 'error' && !(part['error'] instanceof Error)) say(index, 'an error that is no Error');
    if (part.type === 'finish' && typeof part['usage'] !== 'object') say(index, 'no usage');
  });
  if (parts.length === 0) problems.push('no part at all');
  for (const [block, state] of blocks) if (state === 'open') problems.push(`${block} is not closed`);
  for (const [id, call] of calls) {
    if (call['providerExecuted'] === true && !results.has(id)) problems.push(`${String(id)} has no result`);
  }
  return problems;
}

const BUILT_IN = [Object, Array, Function, String, Number, Boolean, Promise, Map, Set, Error, RegExp, Date];
const keysOfAll = () => BUILT_IN.map(({ prototype }) => Reflect.ownKeys(prototype));
const before = keysOfAll();

/** Whether anything has been put onto what all objects share. */
export const isPolluted = (): boolean =>
  ({} as { polluted?: unknown }).polluted !== undefined ||
  ([] as { polluted?: unknown }).polluted !== undefined ||
  !isDeepStrictEqual(keysOfAll(), before);
