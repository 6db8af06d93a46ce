/** What becomes of an answer that does not simply end: Stop, errors, reloads. */
import { runOf } from './app';
import { expect, test } from './fixtures';

const QUESTION = 'When were lighthouses automated?';

/** Enough text to know that it is on its way. */
const BEGUN = /Lighthouses on this/;

/** An answer that goes on for long enough to be stopped or left, on a slow machine too. */
const LONG = { name: 'plain', text: `Lighthouses on this coast ${'blink and '.repeat(200)}blink.` } as const;

test('Stop stops within a second, and one cancel reaches the API', async ({ chat, simulator }) => {
  simulator.use(LONG);
  await chat.send(QUESTION);
  await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
  const pressed = Date.now();
  await chat.page.getByRole('button', { name: 'Stop' }).click();
  await chat.done();
  expect(Date.now() - pressed).toBeLessThan(1000);
  await expect.poll(() => simulator.requests.filter(({ path }) => path.endsWith('/cancel')).length).toBe(1);
  const text = await chat.answers.getByTestId('text').innerText();
  await chat.page.reload();
  // What was on the page, and perhaps a word more that was on its way.
  await expect(chat.answers.getByTestId('text')).toContainText(text);
  await expect(chat.answers.getByTestId('cost')).toHaveCount(0);
  expect(simulator.requests.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1);
  expect(simulator.requests.filter(({ path }) => path === '/v1/agent')).toHaveLength(1);
});

test('a 429 shows its message, and Retry answers', async ({ chat, simulator, watch }) => {
  watch.allow(/status of 429/);
  let asked = 0;
  simulator.use(() => (asked++ === 0 ? 'rate-limited' : 'search'));
  await chat.send(QUESTION);
  await chat.done('error');
  await expect(chat.alert).toContainText(/rate limit/i);
  await chat.page.getByRole('button', { name: 'Retry' }).click();
  await chat.done();
  await expect(chat.alert).toHaveCount(0);
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
  await expect(chat.page.getByRole('article', { name: 'You' })).toHaveCount(1);
});

test('a cut stream shows an error and keeps the text', async ({ chat, simulator }) => {
  simulator.use({ name: 'cut', end: 'reset' });
  await chat.send(QUESTION);
  await chat.done('error');
  await expect(chat.alert).not.toBeEmpty();
  const text = chat.answers.getByTestId('text');
  await expect(text).toContainText(BEGUN);
  const kept = await text.innerText();
  await chat.page.reload();
  await expect(text).toHaveText(kept);
});

test('a failed run shows why', async ({ chat, simulator }) => {
  simulator.use('failed');
  await chat.send(QUESTION);
  await chat.done('error');
  await expect(chat.alert).toContainText('upstream unavailable');
});

test('a deep run survives a reload: same text, one run, no cancel', async ({ chat, api }) => {
  const { page } = chat;
  api.simulator.use(LONG);
  await page.getByRole('combobox', { name: 'Effort' }).selectOption('high');
  await chat.send(QUESTION);
  await expect(page.getByText('goes on when you close this page')).toBeVisible();
  await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
  expect(api.simulator.runs[0]?.status).toBe('in_progress');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Effort' })).toHaveValue('high');
  await chat.done();
  await expect(page.getByTestId('cost')).toBeVisible();
  const [run, ...others] = api.simulator.runs;
  expect(others).toEqual([]);
  expect(run).toMatchObject({ status: 'completed', background: true, cancelRequests: 0 });
  const { output } = await runOf(api, run?.id ?? '');
  const wire = output.find(({ type }) => type === 'message')?.content?.[0]?.text ?? '';
  // Shown as Markdown, with linked markers of the same text.
  const plain = (text: string) =>
    text
      .replace(/\[web:(\d+)\]/g, '[$1]')
      .replace(/\s+/g, ' ')
      .trim();
  expect(plain(await chat.answers.getByTestId('text').innerText())).toBe(plain(wire));
  // And once more, when there is nothing to take up.
  const creates = api.simulator.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/agent');
  await page.reload();
  await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
  await expect(page.getByTestId('cost')).toBeVisible();
  expect(api.simulator.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/agent')).toHaveLength(
    creates.length,
  );
});

for (const afterReload of [false, true]) {
  test(`Stop cancels a deep run once${afterReload ? ', also after a reload' : ''}`, async ({ chat, simulator }) => {
    const { page } = chat;
    simulator.use(LONG);
    await page.getByRole('combobox', { name: 'Effort' }).selectOption('high');
    await chat.send(QUESTION);
    await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
    if (afterReload) {
      await page.reload();
      await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
    }
    const pressed = Date.now();
    await page.getByRole('button', { name: 'Stop' }).click();
    await chat.done();
    expect(Date.now() - pressed).toBeLessThan(1000);
    expect(simulator.requests.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1);
    expect(simulator.runs).toMatchObject([{ status: 'cancelled', cancelRequests: 1 }]);
    await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
    await page.reload();
    await expect(chat.answers.getByTestId('text')).toContainText(BEGUN);
    await expect(chat.main).toHaveAttribute('data-status', 'ready');
  });
}
