import { answerText } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { inputOf, noteCall } from './support/scenarios';

const TITLE = 'The light at Cape Doubtful';
const TEXT = 'Two flashes every ten seconds.';

for (const { button, saved } of [
  { button: 'Save note', saved: true },
  { button: 'Decline', saved: false },
]) {
  test(`a note is asked for, and "${button}" goes back to the model`, async ({ chat, api, page }) => {
    api.play({ scenario: noteCall(TITLE, TEXT) });
    await chat.open();
    await chat.effort.selectOption('low');
    await chat.ask('Make a note of the light.');
    await expect(chat.confirmation).toContainText(TITLE);
    await expect(chat.confirmation).toContainText(TEXT);
    await chat.hasStatus('ready');
    expect(api.creates, 'nothing goes on before the user has said so').toHaveLength(1);

    await chat.confirmation.getByRole('button', { name: button }).click();
    await expect(chat.lastAnswer).toContainText('save_note returned');
    await chat.hasStatus('ready');
    await expect(page.getByRole('button', { name: 'Save note' })).toHaveCount(0);
    expect(api.creates.map(({ status }) => status)).toEqual([200, 200]);
    const [call] = inputOf(api.sent(1), 'function_call');
    const [output, ...more] = inputOf(api.sent(1), 'function_call_output');
    expect(more).toEqual([]);
    expect(JSON.parse(String(call?.arguments))).toEqual({ title: TITLE, text: TEXT });
    expect(output?.call_id).toBe(call?.call_id);
    const told = String(output?.output);
    expect(told).toMatch(saved ? /save|true/iu : /declin|false/iu);
    // The model quotes what it was told, as the reader sees.
    expect(await answerText(chat.lastAnswer)).toContain('save_note returned');

    const stored = await page.evaluate(() => Object.values(localStorage).join());
    expect(stored.includes(TITLE), 'saved notes are in localStorage').toBe(saved);

    await chat.reload();
    await expect(chat.lastAnswer).toContainText('save_note returned');
    await expect(page.getByRole('button', { name: 'Save note' })).toHaveCount(0);
    expect(api.creates).toHaveLength(2);
  });
}

test('the question survives a reload', async ({ chat, api }) => {
  api.play({ scenario: noteCall(TITLE, TEXT) });
  await chat.open();
  await chat.effort.selectOption('low');
  await chat.ask('Make a note of the light.');
  await expect(chat.confirmation).toContainText(TITLE);
  await chat.hasStatus('ready');
  await chat.reload();
  await chat.confirmation.getByRole('button', { name: 'Decline' }).click();
  await expect(chat.lastAnswer).toContainText('save_note returned');
  expect(inputOf(api.sent(1), 'function_call_output')).toHaveLength(1);
});

test('a turn works after one with a note', async ({ chat, api }) => {
  api.play({ scenario: noteCall(TITLE, TEXT) });
  await chat.open();
  await chat.effort.selectOption('low');
  await chat.ask('Make a note of the light.');
  await chat.confirmation.getByRole('button', { name: 'Save note' }).click();
  await expect(chat.lastAnswer).toContainText('save_note returned');
  await chat.hasStatus('ready');
  api.simulator.use({ name: 'plain', text: 'You are welcome.' });
  const next = await chat.askAndWait('Thank you.');
  await expect(next).toContainText('You are welcome.');
  const body = api.sent(2);
  expect(inputOf(body, 'function_call')).toHaveLength(1);
  expect(inputOf(body, 'function_call_output')).toHaveLength(1);
});
