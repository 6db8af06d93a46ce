/**
 * Runs of the Agent API that were broken on their way: whatever the wire brings, a call comes to an end that its caller can
 * handle, and what had arrived of the text is not lost. `scripts/hostile.mjs` runs the same for as long as it is told.
 */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { bodyOf } from '../support/wire.js';
import { hold, timeLimit } from './campaign.js';
import { exercise, watch, type Manner, type Outcome } from './exercise.js';
import { toJsonText } from './json-text.js';
import { mutated, mutations, onTheWire, way, type Way } from './mutations.js';
import { owedByEvents, owedByResponse } from './owed.js';
import { validRun } from './run-grammar.js';

watch();

const manner: fc.Arbitrary<Manner> = fc.record({
  face: fc.constantFrom('v2', 'v3', 'v4'),
  isDeclared: fc.boolean(),
  isStructured: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  showsRaw: fc.boolean(),
  coalesces: fc.boolean(),
});

const replyOf = (chunks: Uint8Array[], { contentType, end }: Pick<Way, 'contentType' | 'end'>) =>
  new Response(bodyOf(chunks, end === 'error' ? new Error('the socket is gone') : 'close'), {
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });

/** Throws where a case went wrong. */
function judge({ problems, text, error }: Outcome, owed: readonly string[]): void {
  const lost = owed.filter((mark) => !text.includes(mark));
  const all = [...problems, ...(lost.length > 0 ? [`lost: ${lost.join(' ')} (${String(error)})`] : [])];
  if (all.length > 0) throw new Error(all.join('\n'));
}

/** Whether a body is read piece by piece: a text that is read whole is lost where it breaks off. */
const isStream = ({ contentType, end }: Way) => end === 'close' || !/json|html/.test(contentType ?? '');

/** Connections of a run in the background, one after the other, and what polls of it are answered. */
const world = fc.record({
  ways: fc.array(way, { minLength: 1, maxLength: 4 }),
  polls: fc.array(
    fc.constantFrom('running', 'running', 'over', 'html', 'empty', 'nothing', '404', '429', '500', 'lost'),
    { maxLength: 4 },
  ),
});

const page = () => new Response('<html>busy</html>', { headers: { 'content-type': 'text/html' } });
const json = (text: string, status = 200) =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } });

/** A service that lets go of its connections, and what it had sent whole by the end. */
function background(events: unknown[], response: unknown, { ways, polls }: { ways: Way[]; polls: string[] }) {
  const delivered: string[] = [];
  let connections = 0;
  let asked = 0;

  function stream(after: number): Response {
    const rest = events.filter((event) => {
      const place = (event as { sequence_number?: unknown } | null)?.sequence_number;
      return typeof place !== 'number' || place > after;
    });
    const { breaksAt, ...how } = ways[connections++ % ways.length] ?? ({} as Way);
    // In the end there is a connection that holds.
    const { chunks, whole } = onTheWire(rest, {
      ...how,
      breaksAt: connections > 2 * ways.length ? undefined : breaksAt,
    });
    delivered.push(...whole);
    return replyOf(chunks, how);
  }

  const ANSWERS: Record<string, () => Response> = {
    running: () => json('{"id":"resp_hostile","status":"in_progress","output":[]}'),
    over: () => json(toJsonText(response)),
    html: page,
    empty: () => json(''),
    nothing: () => json('{}'),
    '404': () => json('{"error":{"message":"resource not found"}}', 404),
    '429': () => json('{"error":"slow down"}', 429),
    '500': () => json('oops', 500),
  };

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    if (pathname.endsWith('/cancel')) return json('{}');
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as { stream?: boolean }) : undefined;
    if (body?.stream === true || searchParams.has('stream'))
      return stream(Number(searchParams.get('starting_after') ?? -1));
    const answer = ANSWERS[polls[asked++] ?? 'over'];
    if (answer === undefined) throw new Error('the network is gone');
    return answer();
  };
  return { fetch, delivered };
}

describe('a hostile wire', () => {
  it(
    'lets every stream end in order, with all the text that arrived',
    () =>
      hold(
        'stream',
        fc.asyncProperty(
          fc.record({ run: validRun, list: mutations, how: way, manner }),
          async ({ run, list, how, manner: given }) => {
            const { chunks, whole } = onTheWire(mutated(run.events, list), how);
            const outcome = await exercise('stream', given, async () => replyOf(chunks, how));
            judge(outcome, given.isStructured || !isStream(how) ? [] : owedByEvents(whole));
          },
        ),
        { runs: 150, share: 0.45 },
      ),
    timeLimit,
  );

  it(
    'lets every generate call end, with all the text that arrived',
    () =>
      hold(
        'generate',
        fc.asyncProperty(
          fc.record({ run: validRun, list: mutations, how: way, manner, isCut: fc.boolean() }),
          async ({ run, list, how, manner: given, isCut }) => {
            const [response] = mutated([run.response], list);
            const json = toJsonText(response);
            const cut = isCut ? Math.floor((json.length * (how.breaksAt ?? 1000)) / 1000) : json.length;
            const bytes = new TextEncoder().encode(`${how.hasMark ? '\ufeff' : ''}${json.slice(0, cut)}`);
            const outcome = await exercise('generate', given, async () => replyOf([bytes], { ...how, end: 'close' }));
            judge(outcome, given.isStructured || cut < json.length ? [] : owedByResponse(JSON.parse(json)));
          },
        ),
        { runs: 150, share: 0.2 },
      ),
    timeLimit,
  );

  it(
    'lets every call in the background end, with all the text that arrived on any connection',
    () =>
      hold(
        'background',
        fc.asyncProperty(
          fc.record({
            run: validRun,
            list: fc.oneof(fc.constant([]), mutations),
            world,
            manner,
            mode: fc.constantFrom('stream', 'stream', 'generate'),
            resumed: fc.option(fc.option(fc.nat(12), { nil: undefined }), { nil: 'no' as const }),
          }),
          async ({ run, list, world: given, manner: how, mode, resumed }) => {
            const events = mutated(run.events, list);
            const [response] = mutated([run.response], list);
            const { fetch, delivered } = background(events, response, given);
            const waits = { pollInterval: 100, timeout: 60_000 };
            const outcome = await exercise(
              mode,
              {
                ...how,
                perplexity: { background: waits },
                ...(resumed !== 'no' && { resumed: resumed === undefined ? {} : { startingAfter: resumed } }),
              },
              fetch,
            );
            // The caller of a run that is taken up after a number has had what was before it.
            const isAll = list.length === 0 && !how.isStructured && typeof resumed !== 'number';
            judge(outcome, isAll && given.ways.every(isStream) ? owedByEvents(delivered) : []);
          },
        ),
        { runs: 60, share: 0.3 },
      ),
    timeLimit,
  );
});
