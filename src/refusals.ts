/** How a mistake of a caller becomes an error: one that names what is wrong and says what to do, whatever was given. */
import { AISDKError, InvalidArgumentError } from '@ai-sdk/provider';
import { describe } from './errors.js';

/** What is wrong with what stands at `argument`: "<argument> <complaint>." */
export function invalid(argument: string, complaint: string): InvalidArgumentError {
  return new InvalidArgumentError({ argument, message: `${argument} ${complaint}.` });
}

/** What `read` gives; where the value itself is the trouble (a getter, a proxy, a cycle), the error names it. */
export function reading<T>(argument: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (AISDKError.isInstance(cause)) throw cause;
    throw new InvalidArgumentError({ argument, message: `${argument} cannot be read: ${describe(cause)}`, cause });
  }
}

/** That a value must be another, and what it is where that can be shown. */
export function complaint(must: string, value: unknown): string {
  if (value === undefined) return `is missing, it must be ${must}`;
  if (value === null) return `must not be null; leave it out instead, or give ${must}`;
  // A long value says little, and an object may hold what is nobody's business.
  const shown = shownValue(value);
  return shown === undefined || shown.length > 60 ? `must be ${must}` : `must be ${must}, but is ${shown}`;
}

/** A value in a message; undefined for an object. Never throws, whatever it is. */
export function shownValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return `'${value}'`;
    case 'object':
      return value === null ? 'null' : undefined;
    case 'bigint':
      return `${value}n`;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return typeof value;
  }
}
