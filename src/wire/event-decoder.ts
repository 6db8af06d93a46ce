import { createParser } from 'eventsource-parser';
import { asObject, parseJson, type WireObject } from '../json.js';

/** Turns the bytes of an event stream into events. */
export type EventDecoder = {
  /** Feeds a chunk, cut anywhere. Throws an Error when one event outgrows the limit. */
  push(bytes: Uint8Array): void;
  /** The bytes are over: an event whose closing blank line is missing is still delivered. */
  end(): void;
};

export type EventDecoderOptions = {
  onEvent(event: WireObject): void;
  /** A `data:` payload that is no JSON object. */
  onUnreadable(data: string): void;
  /** Largest single event that is buffered. */
  maxEventBytes: number;
  /** Events are handed on to the app as they are. */
  showsEvents: boolean;
};

/** Nearly all events of a stream; searching them for keys that poison would cost a tenth of all the time they take. */
const isTextDelta = (value: unknown) => asObject(value)?.['type'] === 'response.output_text.delta';

/**
 * `data:` lines → JSON events. `[DONE]`, comments and blank lines are passed over: the API sends none of the first,
 * but clients and proxies do (`agent-api.md` §5.1).
 */
export function createEventDecoder(options: EventDecoderOptions): EventDecoder {
  const { onEvent, onUnreadable, maxEventBytes } = options;
  const text = new TextDecoder();
  const isKept = options.showsEvents ? undefined : (value: unknown) => !isTextDelta(value);
  const parser = createParser({
    maxBufferSize: maxEventBytes,
    onEvent({ data, event: name }) {
      if (data === '[DONE]') return;
      const event = asObject(parseJson(data, isKept));
      if (event === undefined) onUnreadable(data);
      // The API names its events inside; gateways that put an error of their own in between name it outside.
      else onEvent(name === undefined || 'type' in event ? event : { ...event, type: name });
    },
    onError({ type }) {
      // Lines that are no SSE fields are passed over; only an overflow ends the parser.
      if (type !== 'max-buffer-size-exceeded') return;
      throw new Error(
        `An event of the stream is larger than maxEventBytes (${maxEventBytes}). Raise the provider's maxEventBytes setting to accept it.`,
      );
    },
  });
  return {
    push(bytes) {
      parser.feed(text.decode(bytes, { stream: true }));
    },
    end() {
      // The parser keeps a last event back until it sees the blank line that ends it.
      parser.feed(`${text.decode()}\n\n`);
    },
  };
}
