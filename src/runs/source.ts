/** Where a run's events come from; here those of a run that ends with its reply. */
import { readFailure, unreadableReply, type ReplyInfo, type RequestInfo } from '../errors.js';
import { asText, type WireObject } from '../json.js';
import { replay } from '../stream/replay.js';
import type { Reply } from '../wire/transport.js';
import { createBody, type ReadLimits } from './body.js';

export type Source = {
  /** Reads on until that is enough. Never rejects. */
  read(): Promise<void>;
  cancel(reason: unknown): void;
};

export type SourceHandlers = {
  onEvent(event: WireObject): void;
  /** A `data:` payload that is no JSON object. */
  onUnreadable(data: string): void;
  /** Where a run stands that goes on. */
  onSnapshot(response: WireObject): void;
  /** Nothing has come for a moment: what is known of the run without it can be told. */
  onQuiet(): void;
  /** The events are over. Where that comes before their end: what cut them off, and what that means in words. */
  end(cut?: { cause?: unknown; message?: string }): void;
  /** The reply as a whole is no answer. */
  refuse(error: unknown): void;
  /** The run goes on, but is not waited for any longer: it ends here, and is cancelled where the caller wants that. */
  giveUp(cause: unknown): void;
  /** A chunk is over. */
  flush(): void;
  /** Whether nobody wants any more. */
  isOver(): boolean;
  /** Whether what was read is enough for now. */
  isServed(): boolean;
  /** Id of the run, once known. */
  responseId(): string | undefined;
};

/** The reply to a foreground call, read once. */
export function createReplySource(reply: Reply, handlers: SourceHandlers, limits: ReadLimits): Source {
  function onResponse(response: WireObject): void {
    try {
      playResponse(reply, response, handlers);
    } catch (error) {
      handlers.refuse(error);
    }
  }
  if (reply.kind === 'response') {
    return {
      async read() {
        if (!handlers.isOver()) onResponse(reply.response);
      },
      cancel: () => undefined,
    };
  }
  return createBody(
    reply,
    {
      onEnd: (cause) => handlers.end(cause === undefined ? undefined : { cause }),
      onIdle: handlers.giveUp,
      onTooLarge: handlers.giveUp,
      onResponse,
      ...handlers,
    },
    limits,
  );
}

/** Plays a response that is final, or as good as. Throws where it is no answer. */
export function playResponse(
  reply: ReplyInfo & { request: RequestInfo },
  response: WireObject,
  { onEvent, end }: Pick<SourceHandlers, 'onEvent' | 'end'>,
): void {
  const status = asText(response['status']);
  const isGood = status === undefined || status === 'completed' || status === 'incomplete';
  if (isGood && !hasFailed(response) && !Array.isArray(response['output'])) {
    const bodyText = JSON.stringify(response);
    throw unreadableReply(reply.request, reply, { problem: 'The Agent API sent a response without output.', bodyText });
  }
  for (const event of replay(response)) onEvent(event);
  end();
}

/** Whether a response tells of a failure, whatever its status. */
export const hasFailed = (response: WireObject): boolean =>
  Object.keys(readFailure(response['error'])).length > 0 || (response['detail'] ?? undefined) !== undefined;
