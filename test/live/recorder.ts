/** Keeps the traffic of one shape of call, in the form of the recordings: what was asked, and what came back. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Fetch = typeof globalThis.fetch;

export type Recorder = {
  fetch: Fetch;
  /** Writes what is still on its way. */
  finish(): Promise<void>;
};

/**
 * `<name>.request.json`, and `<name>.chunks.txt` for a stream (one event per line) or `<name>.json`; the second exchange
 * of a name is `<name>-2`. No header is ever kept; `secrets` are taken out of the bodies too. Without a folder nothing is
 * recorded.
 */
export function createRecorder(options: { folder: string | undefined; name: string; secrets: string[] }): Recorder {
  const { folder, name, secrets } = options;
  if (folder === undefined) return { fetch: globalThis.fetch, finish: () => Promise.resolve() };
  mkdirSync(folder, { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), `${withoutSecrets(text, secrets)}\n`);
  const pending: Promise<void>[] = [];
  let count = 0;

  return {
    async fetch(input, init) {
      count += 1;
      const base = count === 1 ? name : `${name}-${count}`;
      if (typeof init?.body === 'string') write(`${base}.request.json`, pretty(init.body));
      const response = await globalThis.fetch(input, init);
      if (response.body === null) return response;
      const [forCaller, forRecord] = response.body.tee();
      const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
      pending.push(
        new Response(forRecord).text().then(
          (text) => write(isStream ? `${base}.chunks.txt` : `${base}.json`, isStream ? eventLines(text) : pretty(text)),
          // A reply that broke off is the caller's to report.
          () => undefined,
        ),
      );
      const { status, statusText, headers } = response;
      return new Response(forCaller, { status, statusText, headers });
    },
    async finish() {
      await Promise.all(pending);
    },
  };
}

/** The payloads of a stream of events, as they came. */
function eventLines(text: string): string {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n');
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

const SECRET_FIELDS = /("(?:authorization|cookie|set-cookie|api_?key|x-api-key)"\s*:\s*)"[^"]*"/gi;

function withoutSecrets(text: string, secrets: string[]): string {
  const known = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  return known.replace(SECRET_FIELDS, '$1"[redacted]"').replace(/Bearer\s+[\w.~+/-]{8,}/g, 'Bearer [redacted]');
}
