/** A conversation of four messages a round: question, tool call, its result, answer. */

const PARAGRAPH =
  'The harbour lies behind a bar that a deep ship crosses near high water only; the tables give that hour to the minute, the weather moves it. '.repeat(
    3,
  );

const TOOL = {
  type: 'function',
  name: 'read_gauge',
  description: 'Height of the water at a station.',
  inputSchema: {
    type: 'object',
    properties: { station: { type: 'string' }, hours: { type: 'number' } },
    required: ['station'],
    additionalProperties: false,
  },
};

/** As a prompt of the AI SDK, and as items of the wire for who takes those. */
export function longConversation(rounds) {
  const talk = Array.from({ length: rounds }, (_, index) => roundOfTalk(index));
  return {
    prompt: talk.flatMap(({ prompt }) => prompt),
    input: talk.flatMap(({ input }) => input),
    callIds: talk.map(({ callId }) => callId),
    tools: [TOOL],
  };
}

const text = (content) => [{ type: 'text', text: content }];

function roundOfTalk(index) {
  const callId = `call_${index}`;
  const station = `Station ${index}`;
  const question = `How high does the water stand at station ${index}? ${PARAGRAPH}`;
  const args = { station, hours: index };
  const value = { station, centimetres: 180 + index, weather: ['calm', 'clear'], remark: PARAGRAPH };
  const answer = `It stands at ${180 + index} centimetres. ${PARAGRAPH}`;
  return {
    callId,
    prompt: [
      { role: 'user', content: text(question) },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: callId, toolName: TOOL.name, input: args }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: callId, toolName: TOOL.name, output: { type: 'json', value } }],
      },
      { role: 'assistant', content: text(answer) },
    ],
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] },
      { type: 'function_call', call_id: callId, name: TOOL.name, arguments: JSON.stringify(args) },
      { type: 'function_call_output', call_id: callId, output: JSON.stringify(value) },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
    ],
  };
}
