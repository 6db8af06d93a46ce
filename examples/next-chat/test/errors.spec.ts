import { answerText, plain } from './support/chat-page';
import { expect, test } from './support/fixtures';

test("a 429 shows the API's message, and Retry asks again", async ({ chat, api }) => {
  api.play({ scenario: { name: 'rate-limited', count: 1 } });
  await chat.open();
  await chat.effort.selectOption('fast');
  await chat.ask('When were lighthouses automated?');
  await chat.hasStatus('error');
  const [reason] = await api.errorMessages();
  expect(reason).toBe('rate limit exceeded');
  await expect(chat.alert).toContainText('rate limit exceeded');
  expect(
    api.creates.map(({ status }) => status),
    'nothing is repeated unasked',
  ).toEqual([429]);

  api.simulator.use('search');
  await chat.retry.click();
  await chat.hasStatus('ready');
  await expect(chat.alert).toHaveCount(0);
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.questions).toHaveCount(1);
  expect(await answerText(chat.lastAnswer)).toBe(plain(api.text(0)));
  expect(api.creates.map(({ status }) => status)).toEqual([429, 200]);
  expect(api.sent(1)).toEqual(api.sent(0));
});

for (const [status, reason] of [
  [401, 'Invalid API key provided'],
  [503, 'service unavailable'],
] as const) {
  test(`a ${status} shows its message`, async ({ chat, api }) => {
    api.play({ faults: [{ on: 'create', fault: 'status', status }] });
    await chat.open();
    await chat.ask('Hello?');
    await chat.hasStatus('error');
    await expect(chat.alert).toContainText(reason);
    await expect(chat.retry).toBeVisible();
  });
}

test('a stream that is cut shows an error and keeps the text, also after a reload; Retry completes it', async ({
  chat,
  api,
}) => {
  api.play({ scenario: { name: 'cut', afterEvents: 24, end: 'reset' }, eventDelay: 10 });
  await chat.open();
  await chat.effort.selectOption('low');
  await chat.ask('When were lighthouses automated?');
  await chat.hasStatus('error');
  await expect(chat.alert).toBeVisible();
  const partial = plain(api.text(0));
  expect(partial.length).toBeGreaterThan(30);
  expect(await answerText(chat.lastAnswer)).toBe(partial);

  await chat.reload();
  await expect(chat.answers).toHaveCount(1);
  expect(await answerText(chat.lastAnswer)).toBe(partial);

  api.play({ scenario: { name: 'plain', text: 'Whole at last.' } });
  const next = await chat.askAndWait('Once more, please.');
  expect(await answerText(next)).toBe('Whole at last.');
});

test('Retry after a cut replaces the broken answer', async ({ chat, api }) => {
  api.play({ scenario: { name: 'cut', afterEvents: 24, end: 'close' } });
  await chat.open();
  await chat.effort.selectOption('low');
  await chat.ask('When were lighthouses automated?');
  await chat.hasStatus('error');
  api.simulator.use('search');
  await chat.retry.click();
  await chat.hasStatus('ready');
  await expect(chat.answers).toHaveCount(1);
  expect(await answerText(chat.lastAnswer)).toBe(plain(api.text(1)));
  expect(api.creates).toHaveLength(2);
});

test('a run that fails says why and keeps its text', async ({ chat, api }) => {
  api.play({ scenario: 'failed' });
  await chat.open();
  await chat.ask('What matters most?');
  await chat.hasStatus('error');
  await expect(chat.alert).toContainText('upstream unavailable');
  expect(await answerText(chat.lastAnswer)).toBe(plain(api.text(0)));
});
