/** Reads a model's stream to its end, and knows what text has to come out. */

/** Another text came than was sent. */
export class WrongText extends Error {}

/** Checks text as it arrives and keeps none of it. */
export function expecting(text) {
  let position = 0;
  return {
    take(delta) {
      if (!text.startsWith(delta, position)) {
        throw new WrongText(`Wrong text at character ${position}: ${JSON.stringify(delta)}`);
      }
      position += delta.length;
    },
    end() {
      if (position !== text.length)
        throw new WrongText(`The text ended after ${position} of ${text.length} characters`);
    },
  };
}

/** Calls `onPart` for each part of a ReadableStream, or of what else can be iterated. */
export async function forEachPart(stream, onPart) {
  if (typeof stream.getReader !== 'function') {
    for await (const part of stream) onPart(part);
    return;
  }
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onPart(value);
  }
}

/** Text of an AI SDK part. An error part is a failure of the measurement. */
export function textOfPart(part) {
  if (part.type === 'error') throw new Error('The stream brought an error part', { cause: part.error });
  return part.type === 'text-delta' ? part.delta : undefined;
}

/** Reads a stream and checks its text. */
export async function readText(stream, textOf, expectedText) {
  const text = expecting(expectedText);
  await forEachPart(stream, (part) => {
    const delta = textOf(part);
    if (delta !== undefined) text.take(delta);
  });
  text.end();
}
