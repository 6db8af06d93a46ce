/** A run as the stream that a consumer reads. */
import type { CorePart } from '../spec.js';
import type { Run } from './run.js';

/** One pull-based stream: parts go out in the turn in which their bytes came in. Takes what is in `head` out of it first. */
export function createPartStream<Part>(
  run: Run,
  head: CorePart[],
  toPart: (part: CorePart) => Part | undefined,
): ReadableStream<Part> {
  return new ReadableStream<Part>(
    {
      start(controller) {
        const send = (corePart: CorePart): void => {
          const part = toPart(corePart);
          if (part !== undefined) controller.enqueue(part);
          if (corePart.type === 'finish') controller.close();
        };
        run.onRejected((reason) => controller.error(reason));
        // Out of the list, which lives as long as the stream: it may hold all that a search has found.
        head.splice(0).forEach(send);
        run.sendTo(send);
      },
      pull: run.pull,
      cancel() {
        run.abandon();
      },
    },
    { highWaterMark: 0 },
  );
}
