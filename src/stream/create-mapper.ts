import { createEventMapper, type EventMapper, type MapperContext } from './event-mapper.js';
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
): EventMapper {
  const { attachment } = context;
  const { replaysUntil, isJsonStream } = reading;
  // The filter stands inside: what a caller has had before is what had passed it.
  const create = (given: MapperContext) =>
    isJsonStream ? withJsonFilter(createEventMapper(given), attachment !== undefined) : createEventMapper(given);
  if (attachment === undefined || replaysUntil === undefined) return create(context);
  return createRestMapper(replaysUntil, (startsLate) =>
    create({ ...context, attachment: { ...attachment, startsLate } }),
  );
}
