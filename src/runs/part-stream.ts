/** A run as the stream that a consumer reads. */
import type { CorePart } from '../spec.js';
import type { Run } from './run.js';

/** One pull-based stream: parts go out in the turn in which their bytes came in. */
export function createPartStream<Part>(
  run: Run,
  head: readonly CorePart[],
  toPart: (part: CorePart) => Part | undefined,
): ReadableStream<Part> {
  return new ReadableStream<Part>(
    {
      start(controller) {
        const deliver = deliverTo(controller, toPart);
        head.forEach(deliver);
        if (run.ended) controller.close();
        else run.onAbort((reason) => controller.error(reason));
      },
      pull(controller) {
        return run.read(deliverTo(controller, toPart)).then(() => (run.ended ? controller.close() : undefined));
      },
      cancel() {
        run.abandon();
      },
    },
    { highWaterMark: 0 },
  );
}

const deliverTo =
  <Part>(controller: ReadableStreamDefaultController<Part>, toPart: (part: CorePart) => Part | undefined) =>
  (corePart: CorePart): void => {
    const part = toPart(corePart);
    if (part !== undefined) controller.enqueue(part);
  };
