/** Where the events of a run stand, over all of its connections. */
import type { WireObject } from '../json.js';
import { sequenceNumberOf } from '../stream/finish.js';

export type Cursor = {
  /** Number of the last event that was taken; undefined where events have none to go on from. */
  number(): number | undefined;
  /** A connection begins. */
  begin(): void;
  /** Whether an event was taken before: a connection may begin a little earlier than asked. */
  hasHad(event: WireObject): boolean;
  /** Takes an event. */
  take(event: WireObject): void;
  moveTo(number: number | undefined): void;
};

export function createCursor(startingAfter: number | undefined): Cursor {
  let number = startingAfter;
  /** The event of that number, where this connection has brought it. */
  let last: WireObject | undefined;
  /** Numbers that do not tell events apart are none. */
  let isBroken = false;

  return {
    number: () => number,
    begin() {
      last = undefined;
    },
    hasHad(event) {
      const place = sequenceNumberOf(event);
      if (isBroken || place === undefined || number === undefined || place > number) return false;
      if (place < number || last === undefined || JSON.stringify(event) === JSON.stringify(last)) return true;
      isBroken = true;
      number = undefined;
      return false;
    },
    take(event) {
      const place = sequenceNumberOf(event);
      if (isBroken || place === undefined) return;
      number = place;
      last = event;
    },
    moveTo(to) {
      number = to;
      last = undefined;
    },
  };
}
