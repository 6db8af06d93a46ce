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
            judge(outcome, given.isStructured || cut < json.length ? [] : owedByResponse(json));
          },
        ),
        { runs: 150, share: 0.2 },
      ),
    timeLimit,
  );
});
