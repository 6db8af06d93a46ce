/** Small value checks that the rules share. Each returns quietly or throws a Refusal. */
import { validationFailed } from '../errors.js';

/** A number between two bounds, both allowed; undefined passes. */
export function checkRange(value: unknown, label: string, low: number, high: number): void {
  if (typeof value === 'number' && (value < low || value > high)) {
    throw validationFailed(`${label} must be between ${low} and ${high}`);
  }
}

/** A number that is at least `low`; undefined passes. */
export function checkAtLeast(value: unknown, label: string, low: number): void {
  if (typeof value === 'number' && value < low) throw validationFailed(`${label} must be at least ${low}`);
}

/** One of these strings; undefined passes. The wording is the recorded one of the recency filter. */
export function checkOneOf(value: unknown, label: string, allowed: readonly string[]): void {
  if (typeof value === 'string' && !allowed.includes(value)) {
    throw validationFailed(`${label} must be one of: ${allowed.join(' ')}`);
  }
}

/** At most so many entries; undefined passes. */
export function checkCount(value: unknown, label: string, most: number): void {
  if (Array.isArray(value) && value.length > most) {
    throw validationFailed(`${label} must have at most ${most} entries`);
  }
}

/** A string that matches; undefined passes. */
export function checkPattern(value: unknown, label: string, pattern: RegExp): void {
  if (typeof value === 'string' && !pattern.test(value)) {
    throw validationFailed(`${label} must match ${pattern.source}`);
  }
}

/** A string of so many characters; undefined passes. */
export function checkLength(value: unknown, label: string, low: number, high: number): void {
  if (typeof value === 'string' && (value.length < low || value.length > high)) {
    throw validationFailed(`${label} must have between ${low} and ${high} characters`);
  }
}

/** A string of at most so many bytes of UTF-8; undefined passes. */
export function checkBytes(value: unknown, label: string, most: number): void {
  if (typeof value === 'string' && byteLength(value) > most) {
    throw validationFailed(`${label} must have at most ${most} bytes`);
  }
}

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/** An absolute https URL, whose scheme may have any case (RFC 3986); undefined passes. */
export function checkHttps(value: unknown, label: string): void {
  if (typeof value === 'string' && !/^https:\/\/[^\s/]/iu.test(value)) {
    throw validationFailed(`${label} must be an https URL`);
  }
}
