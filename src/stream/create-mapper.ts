import { createEventMapper, type Emit, type EventMapper, type MapperContext } from './event-mapper.js';
import { createRestMapper } from './rest.js';
import { withJsonFilter } from './structured-text.js';

/** The mapper for one way of reading: of all of a run or of its rest, of prose or of JSON that is streamed. */
export function createMapper(
  context: MapperContext,
  reading: {
    /** The events begin with the first one, of a caller who has had those up to this number. */
    replaysUntil: number | undefined;
    /** The text has to be bare JSON while it streams. */
    isJsonStream: boolean;
  },
  deliver: Emit,
): EventMapper {
  const { attachment } = context;
  const { replaysUntil, isJsonStream } = reading;
  const create = (given: MapperContext, emit: Emit) => {
    if (!isJsonStream) return createEventMapper(given, emit);
    // The filter stands inside: what a caller has had before is what had passed it.
    return withJsonFilter((filtered) => createEventMapper(given, filtered), emit, attachment !== undefined);
  };
  if (attachment === undefined || replaysUntil === undefined) return create(context, deliver);
  return createRestMapper(
    replaysUntil,
    (startsLate, emit) => create({ ...context, attachment: { ...attachment, startsLate } }, emit),
    deliver,
  );
}
