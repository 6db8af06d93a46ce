/** Answers without a network. */

const reply = (body) =>
  new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });

/** A `fetch` whose answers hold these chunks, one at a pull. `makeChunks` gives an iterable for each answer. */
export const fetchOf = (makeChunks) => async () => {
  const chunks = makeChunks()[Symbol.iterator]();
  return reply(
    new ReadableStream(
      {
        pull(controller) {
          const { done, value } = chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    ),
  );
};

/** A `fetch` for one call, whose answer the caller writes. */
export function handFedFetch() {
  let controller;
  const body = new ReadableStream({
    start(given) {
      controller = given;
    },
  });
  return {
    fetch: async () => reply(body),
    push: (chunk) => controller.enqueue(chunk),
    close: () => controller.close(),
  };
}
