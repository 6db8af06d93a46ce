/** A run as the stream that a consumer reads. */
import type { CorePart } from '../spec.js';
import type { Run } from './run.js';

/** The queue of a stream is a list that is shifted: past some ten thousand entries each read takes longer and longer. */
const MOST_QUEUED = 1000;

/** One pull-based stream: parts go out in the turn in which their bytes came in. Takes what is in `head` out of it first. */
export function createPartStream<Part>(
  run: Run,
  head: CorePart[],
  toPart: (part: CorePart) => Part | undefined,
): ReadableStream<Part> {
  /** Parts that went into the stream's own queue since it was last empty. */
  let queued = 0;
  /** What one event brought beyond that, and how much of it has gone there by now. */
  const backlog: CorePart[] = [];
  let taken = 0;
  let hasClosed = false;

  function pass(corePart: CorePart, controller: ReadableStreamDefaultController<Part>): void {
    const part = toPart(corePart);
    if (part !== undefined) {
      queued++;
      controller.enqueue(part);
    }
    if (corePart.type !== 'finish') return;
    hasClosed = true;
    controller.close();
  }

  function passBacklog(controller: ReadableStreamDefaultController<Part>): void {
    while (taken < backlog.length && queued < MOST_QUEUED) pass(backlog[taken++] as CorePart, controller);
    if (taken < backlog.length) return;
    backlog.length = 0;
    taken = 0;
  }

  return new ReadableStream<Part>(
    {
      start(controller) {
        const send = (part: CorePart): void => {
          if (queued < MOST_QUEUED && backlog.length === 0) pass(part, controller);
          else backlog.push(part);
        };
        run.onRejected((reason) => controller.error(reason));
        // Out of the list, which lives as long as the stream: it may hold all that a search has found.
        head.splice(0).forEach(send);
        run.sendTo(send);
      },
      // Asked only when the queue is empty, since nothing is asked for in advance.
      pull(controller) {
        queued = 0;
        if (backlog.length > 0) passBacklog(controller);
        return queued > 0 || hasClosed ? undefined : run.pull();
      },
      cancel() {
        backlog.length = 0;
        run.abandon();
      },
    },
    { highWaterMark: 0 },
  );
}
