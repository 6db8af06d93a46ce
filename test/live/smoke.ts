/**
 * One real call per shape of call: `PERPLEXITY_API_KEY=… npm run test:live`. Costs a few cents. Without a key it says so
 * and does nothing. `--record DIR` keeps the traffic, `--base-url URL` goes somewhere else than the live API.
 */
import { parseArgs } from 'node:util';
import { createRecorder } from './recorder.js';
import { shapes, type Outcome, type Shape } from './shapes.js';

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 2;
  const apiKey = (process.env.PERPLEXITY_API_KEY ?? '').trim();
  if (apiKey === '') {
    console.log('No PERPLEXITY_API_KEY is set, so nothing was called and nothing was tested.');
    return 0;
  }
  const baseURL = options['base-url'] ?? process.env.PERPLEXITY_BASE_URL;
  console.log(`${shapes.length} calls to ${baseURL ?? 'the live Agent API'}`);

  const costs: number[] = [];
  let failed = 0;
  for (const shape of shapes) {
    const outcome = await run(shape, { apiKey, baseURL, record: options.record });
    if (outcome.cost !== undefined) costs.push(outcome.cost);
    if (!outcome.ok) failed += 1;
    console.log(lineOf(shape, outcome));
  }
  console.log(
    `${shapes.length - failed} of ${shapes.length} ok, total cost ${dollars(costs.reduce((a, b) => a + b, 0))}`,
  );
  return failed === 0 ? 0 : 1;
}

type Result = Outcome & { ok: boolean };

async function run(
  { name, call }: Shape,
  { apiKey, baseURL, record }: { apiKey: string; baseURL: string | undefined; record: string | undefined },
): Promise<Result> {
  const recorder = createRecorder({ folder: record, name, secrets: [apiKey] });
  try {
    return { ok: true, ...(await call({ apiKey, baseURL, fetch: recorder.fetch })) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, checked: message.replace(/\s+/g, ' ').replaceAll(apiKey, '[redacted]'), cost: undefined };
  } finally {
    await recorder.finish();
  }
}

function lineOf({ name }: Shape, { ok, checked, cost }: Result): string {
  return `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(13)} ${checked}${cost === undefined ? '' : ` (${dollars(cost)})`}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(5)}`;
}

function readOptions() {
  try {
    return parseArgs({ options: { record: { type: 'string' }, 'base-url': { type: 'string' } } }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}
