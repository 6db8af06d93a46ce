/** What no test may see, whatever it is about. */
import { expect, type BrowserContext } from '@playwright/test';
import type { RecordingProxy } from './recording-proxy';

/** The key that the server of the tests has. */
export const KEY = 'pplx-browser-test-0123456789abcdef';

/** Watches a browser context; the function that it gives asserts that nothing was wrong. */
export function watch(context: BrowserContext, proxy: RecordingProxy, expected?: RegExp): () => void {
  const complaints: string[] = [];
  const requests: string[] = [];
  context.on('console', (message) => {
    // Failed hydration, failed loading and missing keys all end up here.
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && expected?.test(message.text()) !== true) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('request', (request) => requests.push(request.url()));
  return () => {
    expect(complaints, 'errors and warnings of the console').toEqual([]);
    expect(requests.filter(isElsewhere), 'requests beyond 127.0.0.1').toEqual([]);
    expectNoKey(proxy.text);
  };
}

function isElsewhere(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol !== 'data:' && protocol !== 'blob:' && hostname !== '127.0.0.1';
}

/** Fails with the place, not with all that was received. */
export function expectNoKey(received: string): void {
  expect(received.length, 'what the browser received was recorded').toBeGreaterThan(10_000);
  for (const secret of [KEY, btoa(KEY).slice(0, -4), encodeURIComponent(KEY), KEY.slice(5)]) {
    const place = received.indexOf(secret);
    const around = place === -1 ? '' : received.slice(Math.max(0, place - 200), place + 60);
    expect(around, 'the key in what the browser received').toBe('');
  }
}
