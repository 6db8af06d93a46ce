import { answerText, ChatPage, plain, steps } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { framesOf, watchFrames } from './support/frames';
import type { Json } from './support/api';

const TEXT =
  'Three things changed. **Keepers:** the last one left in 1998 [web:11]. **Lamps:** a 70-watt LED now reaches 18 nautical miles [web:21]. **Purpose:** pilots keep the lights because satellite positions can be jammed [web:1].';

test('a reload in the middle of a deep run picks it up, and it completes with the text of the wire', async ({
  chat,
  api,
  page,
}) => {
  const simulator = api.play({ scenario: 'parallel-searches', eventDelay: 70 });
  await chat.open();
  await chat.effort.selectOption('high');
  await chat.ask('What changed for lighthouses?');
  await expect(steps(chat.lastAnswer).first()).toBeAttached();
  await expect(chat.lastAnswer).toContainText('Three things');
  await chat.reload();
  await chat.hasStatus('streaming');
  await expect(chat.effort).toHaveValue('high');
  await watchFrames(page);
  await expect(chat.questions).toHaveCount(1);
  await expect(chat.answers).toHaveCount(1);
  await chat.hasStatus('ready', 20_000);

  expect(await answerText(chat.lastAnswer)).toBe(plain(TEXT));
  expect(textOf(await finalResponse(api.simulator.fetch, api.url, simulator.runs[0]?.id))).toBe(TEXT);
  const frames = await framesOf(page);
  expect(new Set(frames.map(({ text }) => text)).size, 'it goes on streaming after the reload').toBeGreaterThan(4);
  expect(api.creates).toHaveLength(1);
  expect(api.cancels).toEqual([]);
  expect(simulator.runs.map(({ status, background }) => [status, background])).toEqual([['completed', true]]);

  // Nothing goes on any more, and the answer is stored.
  await chat.reload();
  await chat.hasStatus('ready');
  await expect(chat.answers).toHaveCount(1);
  expect(await answerText(chat.lastAnswer)).toBe(plain(TEXT));
  await expect(chat.lastAnswer.getByTestId('source')).toHaveCount(29);
  expect(api.creates).toHaveLength(1);
});

test('a reload while the run is still searching picks it up', async ({ chat, api }) => {
  api.play({ scenario: 'search', eventDelay: 120 });
  await chat.open();
  await chat.effort.selectOption('xhigh');
  await chat.ask('When were lighthouses automated?');
  await expect(steps(chat.lastAnswer).first()).toBeAttached();
  expect(await answerText(chat.lastAnswer)).toBe('');
  await chat.reload();
  await expect(chat.answers).toHaveCount(1);
  await chat.hasStatus('ready', 20_000);
  await expect(chat.lastAnswer).toContainText('did so from 1912');
  expect(api.creates).toHaveLength(1);
  expect(api.cancels).toEqual([]);
});

test('a reload before the first sign of life picks the run up', async ({ chat, api }) => {
  api.play({ scenario: 'search', eventDelay: 40, background: { queueTime: 600 } });
  await chat.open();
  await chat.effort.selectOption('xhigh');
  await chat.ask('When were lighthouses automated?');
  await expect.poll(() => api.creates.length).toBe(1);
  await chat.reload();
  await expect(chat.lastAnswer).toContainText('did so from 1912', { timeout: 20_000 });
  await chat.hasStatus('ready', 20_000);
  await expect(chat.answers).toHaveCount(1);
  expect(api.creates).toHaveLength(1);
  expect(api.cancels).toEqual([]);
});

test('a run that ended while nobody looked is there after the reload', async ({ chat, api, page }) => {
  const simulator = api.play({ scenario: 'search', eventDelay: 40 });
  await chat.open();
  await chat.effort.selectOption('high');
  await chat.ask('When were lighthouses automated?');
  await expect(chat.lastAnswer).toContainText('Lighthouses');
  const address = page.url();
  await page.goto('about:blank');
  await expect.poll(() => simulator.runs[0]?.status, { timeout: 10_000 }).toBe('completed');
  await page.goto(address);
  await chat.isHydrated();
  await chat.hasStatus('ready', 20_000);
  await expect(chat.lastAnswer).toContainText('did so from 1912');
  await expect(chat.answers).toHaveCount(1);
  expect(api.creates).toHaveLength(1);
  expect(api.cancels).toEqual([]);
});

test('an answer that is stored between the making of a page and its question for the rest is there', async ({
  chat,
  api,
  page,
  context,
}) => {
  api.play({ scenario: 'search', eventDelay: 40 });
  await chat.open();
  await chat.effort.selectOption('high');
  await chat.ask('When were lighthouses automated?');
  await expect(chat.lastAnswer).toContainText('Lighthouses');

  const second = new ChatPage(await context.newPage());
  let goOn = () => {};
  const isStored = new Promise<void>((resolve) => (goOn = resolve));
  const statuses: number[] = [];
  await second.page.route('**/stream', async (route) => {
    await isStored;
    await route.continue();
  });
  second.page.on('response', (response) => {
    if (response.url().endsWith('/stream')) statuses.push(response.status());
  });
  await second.page.goto(page.url());
  await second.isHydrated();
  await expect(second.questions).toHaveCount(1);
  await expect(second.answers).toHaveCount(0);
  await chat.hasStatus('ready', 20_000);
  goOn();
  await expect(second.answers).toHaveCount(1);
  await second.hasStatus('ready');
  expect(await answerText(second.lastAnswer)).toBe(await answerText(chat.lastAnswer));
  expect(await answerText(second.lastAnswer)).toContain('did so from 1912');
  expect(statuses).toEqual([204]);
  expect(api.creates).toHaveLength(1);
});

test.describe('with a line that is lost', () => {
  test.use({ expectedComplaint: /net::ERR_INCOMPLETE_CHUNKED_ENCODING/u });

  test('Retry after a lost line to the page takes up the deep run, and does not pay for a second one', async ({
    chat,
    api,
    wire,
  }) => {
    const simulator = api.play({ scenario: 'search', eventDelay: 120 });
    await chat.open();
    await chat.effort.selectOption('high');
    await chat.ask('When were lighthouses automated?');
    await expect(chat.lastAnswer).toContainText('Lighthouses');
    wire.cut();
    await chat.hasStatus('error');
    await chat.retry.click();
    await chat.hasStatus('ready', 20_000);
    await expect(chat.lastAnswer).toContainText('did so from 1912');
    await expect(chat.answers).toHaveCount(1);
    await expect(chat.questions).toHaveCount(1);
    expect(api.creates).toHaveLength(1);
    expect(api.cancels).toEqual([]);
    expect(simulator.runs.map(({ status }) => status)).toEqual(['completed']);
  });
});

test('Retry after the API was lost takes up the deep run; after a run that failed it begins a new one', async ({
  chat,
  api,
}) => {
  api.play({
    scenario: 'search',
    eventDelay: 20,
    faults: [
      { on: 'stream', fault: 'reset', afterEvents: 14 },
      { on: 'reconnect', fault: 'status', status: 401 },
    ],
  });
  await chat.open();
  await chat.effort.selectOption('high');
  await chat.ask('When were lighthouses automated?');
  await chat.hasStatus('error', 20_000);
  await expect(chat.alert).toContainText('Invalid API key provided');
  await chat.retry.click();
  await chat.hasStatus('ready', 20_000);
  await expect(chat.lastAnswer).toContainText('did so from 1912');
  await expect(chat.answers).toHaveCount(1);
  expect(api.creates).toHaveLength(1);

  api.play({ scenario: 'failed' });
  await chat.ask('What matters most?');
  await chat.hasStatus('error');
  api.simulator.use('search');
  await chat.retry.click();
  await chat.hasStatus('ready', 20_000);
  await expect(chat.lastAnswer).toContainText('did so from 1912');
  expect(api.creates).toHaveLength(2);
});

test('Stop after a reload cancels the run once', async ({ chat, api }) => {
  const simulator = api.play({ scenario: 'parallel-searches', eventDelay: 120 });
  await chat.open();
  await chat.effort.selectOption('high');
  await chat.ask('What changed for lighthouses?');
  await expect(chat.lastAnswer).toContainText('Three things');
  await chat.reload();
  await chat.hasStatus('streaming');
  await expect(chat.lastAnswer).toContainText('Three things');
  await chat.stop.click();
  await chat.hasStatus('ready', 1000);
  await expect.poll(() => simulator.runs[0]?.status).toBe('cancelled');
  await expect(chat.lastAnswer).toContainText('Three things');

  await chat.reload();
  await chat.hasStatus('ready');
  await expect(chat.lastAnswer).toContainText('Three things');
  expect(simulator.runs.map(({ cancelRequests, status }) => [cancelRequests, status])).toEqual([[1, 'cancelled']]);
  expect(api.cancels).toHaveLength(1);
  expect(api.creates).toHaveLength(1);
});

test('a lost connection to the API in the middle of a deep run is not noticed', async ({ chat, api }) => {
  const simulator = api.play({
    scenario: 'search',
    eventDelay: 20,
    faults: [{ on: 'stream', fault: 'reset', afterEvents: 14 }],
  });
  await chat.open();
  await chat.effort.selectOption('high');
  const answer = await chat.askAndWait('When were lighthouses automated?');
  await expect(answer).toContainText('did so from 1912');
  await expect(chat.alert).toHaveCount(0);
  expect(simulator.runs[0]?.streams).toBe(2);
  expect(api.creates).toHaveLength(1);
});

test('the page says that a deep run goes on when it is closed', async ({ chat, api }) => {
  api.play({ scenario: 'search', eventDelay: 60 });
  await chat.open();
  await chat.effort.selectOption('ultra');
  await chat.ask('When were lighthouses automated?');
  await expect(chat.main).toContainText(/goes? on|keeps? (?:on )?(?:going|running)|continues?/iu);
  await chat.hasStatus('ready', 20_000);
});

async function finalResponse(fetchFrom: typeof fetch, base: string, id: string | undefined): Promise<Json> {
  const response = await fetchFrom(`${base}/v1/agent/${id}`, { headers: { authorization: 'Bearer any' } });
  return (await response.json()) as Json;
}

function textOf(response: Json): string {
  const messages = (response.output as { type: string; content: { text: string }[] }[]).filter(
    ({ type }) => type === 'message',
  );
  return messages.flatMap(({ content }) => content.map(({ text }) => text)).join('');
}
