/**
 * Floor A: the least that JavaScript can do with such a stream, and no more. Fetch, TextDecoder, a split at blank lines,
 * JSON.parse and one ReadableStream; nothing is checked, and nothing but text comes out.
 */
const PREFIX = 'data: '.length;

export const createModel = ({ baseURL, fetch = globalThis.fetch }) => ({
  async doStream({ prompt }) {
    const response = await fetch(`${baseURL}/v1/agent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: prompt, stream: true }),
    });
    return { stream: textParts(response.body.getReader()) };
  },
});

function textParts(reader) {
  const decoder = new TextDecoder();
  let rest = '';
  return new ReadableStream(
    {
      async pull(controller) {
        for (let hasDelivered = false; !hasDelivered;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          const events = (rest + decoder.decode(value, { stream: true })).split('\n\n');
          rest = events.pop();
          for (const line of events) {
            const event = JSON.parse(line.slice(PREFIX));
            if (event.type !== 'response.output_text.delta') continue;
            controller.enqueue({ type: 'text-delta', id: event.item_id, delta: event.delta });
            hasDelivered = true;
          }
        }
      },
    },
    { highWaterMark: 0 },
  );
}
