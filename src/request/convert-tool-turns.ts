/**
 * Calls, results and approvals of tools in the history → `function_call` and `function_call_output` items
 * (`agent-api.md` §8.1). What Perplexity's servers ran has no input item and is left out without a word.
 */
import { asObject, asText, parseJson, textOrEmpty } from '../json.js';
import type { CoreMessage, CorePromptPart } from '../spec.js';
import type { InputFunctionCall, InputFunctionCallOutput, InputItem } from '../wire/request-types.js';
import { convertToolOutput, DENIED } from './convert-tool-output.js';
import type { Warnings } from './warnings.js';

export type ToolTurns = {
  call(part: CorePromptPart): void;
  result(part: CorePromptPart, role: 'assistant' | 'tool'): void;
  approvalRequest(part: CorePromptPart): void;
  approvalResponse(part: CorePromptPart): void;
  /** Denied calls that got no result by now get one that says so. */
  flushDenied(): void;
};

type SentCall = { name: string; thoughtSignature: string | undefined };

export function createToolTurns(
  prompt: CoreMessage[],
  input: InputItem[],
  context: { targetKey: string; warnings: Warnings },
): ToolTurns {
  const onServer = callsOnServer(prompt);
  const sent = new Map<string, SentCall>();
  const approvals = new Map<string, string>();
  const denied = new Map<string, string>();
  const answered = new Set<string>();

  const output = (callId: string, name: string, value: InputFunctionCallOutput['output']) => {
    const item: InputFunctionCallOutput = { type: 'function_call_output', call_id: callId, name, output: value };
    const signature = sent.get(callId)?.thoughtSignature;
    if (signature !== undefined) item.thought_signature = signature;
    input.push(item);
    answered.add(callId);
  };

  return {
    call(part) {
      const callId = textOrEmpty(part['toolCallId']);
      if (onServer.has(callId)) return;
      const name = textOrEmpty(part['toolName']);
      const thoughtSignature = replayableSignature(part, context.targetKey);
      sent.set(callId, { name, thoughtSignature });
      const item: InputFunctionCall = {
        type: 'function_call',
        call_id: callId,
        name,
        arguments: jsonArguments(part['input']),
      };
      if (thoughtSignature !== undefined) item.thought_signature = thoughtSignature;
      input.push(item);
    },

    result(part, role) {
      const callId = textOrEmpty(part['toolCallId']);
      if (onServer.has(callId) || part['providerExecuted'] === true) return;
      // Only results of the server stand beside a text; one without a call has lost it, and would be of no use.
      if (role === 'assistant' && !sent.has(callId)) return;
      output(
        callId,
        asText(part['toolName']) ?? sent.get(callId)?.name ?? '',
        convertToolOutput(part['output'], context.warnings),
      );
    },

    approvalRequest(part) {
      approvals.set(textOrEmpty(part['approvalId']), textOrEmpty(part['toolCallId']));
    },

    approvalResponse(part) {
      // An approved call has its result; a call that is not ours to answer is not among the sent ones.
      const callId = approvals.get(textOrEmpty(part['approvalId']));
      if (callId === undefined || part['approved'] !== false || !sent.has(callId)) return;
      denied.set(callId, asText(part['reason']) ?? DENIED);
    },

    flushDenied() {
      // Asked before every message, and hardly ever is there one.
      if (denied.size === 0) return;
      for (const [callId, reason] of denied) {
        if (!answered.has(callId)) output(callId, sent.get(callId)?.name ?? '', reason);
      }
      denied.clear();
    },
  };
}

/** Of the whole prompt, since ai 5 may lack the flag on the results (`sdk-matrix.md` §2.4). */
function callsOnServer(prompt: CoreMessage[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of prompt) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call' && part['providerExecuted'] === true) ids.add(textOrEmpty(part['toolCallId']));
    }
  }
  return ids;
}

/** A signature is good for the model that issued it and for no other (`agent-api.md` §8.2, design decision 13). */
function replayableSignature(part: CorePromptPart, targetKey: string): string | undefined {
  const { thoughtSignature, thoughtSignatureModel } = part.providerOptions?.['perplexity'] ?? {};
  return typeof thoughtSignature === 'string' && thoughtSignatureModel === targetKey ? thoughtSignature : undefined;
}

/** A valid JSON string whatever an invalid call left behind; empty arguments become `{}` (`agent-api.md` §8.1). */
function jsonArguments(input: unknown): string {
  if (input === undefined || input === null || input === '') return '{}';
  return typeof input === 'string' && asObject(parseJson(input)) !== undefined
    ? input
    : (JSON.stringify(input) ?? '{}');
}
