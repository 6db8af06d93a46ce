import { citations, source } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { beeAnswer, noteCall } from './support/scenarios';

test('all can be done with the keyboard alone', async ({ chat, api, page }) => {
  api.play({ scenario: () => beeAnswer() });
  await chat.open();
  const tabTo = async (isThere: () => Promise<boolean>) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await isThere()) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('Not reached with 60 presses of Tab.');
  };
  const isFocused = (locator: typeof chat.message) => () =>
    locator.evaluate((element) => element === document.activeElement);

  await tabTo(isFocused(chat.message));
  await page.keyboard.type('How do bees');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('tell the way?');
  expect(await chat.message.inputValue()).toBe('How do bees\ntell the way?');
  await page.keyboard.press('Enter');
  await expect(chat.answers).toHaveCount(1);
  await chat.hasStatus('ready');
  expect(JSON.stringify(api.sent(0).input)).toContain(String.raw`How do bees\ntell the way?`);

  const seven = citations(chat.lastAnswer).first();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(isFocused(seven));
  await page.keyboard.press('Enter');
  const entry = source(chat.lastAnswer, 7);
  await expect(entry).toBeInViewport();
  expect(await entry.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
  expect(ring, 'what has the focus shows it').not.toBe('none');

  api.play({ scenario: noteCall('Bees', 'They dance.') });
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(isFocused(chat.message));
  await page.keyboard.type('Note that.');
  await page.keyboard.press('Enter');
  await expect(chat.confirmation).toBeVisible();
  await chat.hasStatus('ready');
  const save = chat.confirmation.getByRole('button', { name: 'Save note' });
  await tabTo(isFocused(save));
  await page.keyboard.press('Enter');
  await expect(chat.lastAnswer).toContainText('save_note returned');
});

test('Stop can be reached with the keyboard while the answer comes', async ({ chat, api, page }) => {
  const simulator = api.play({ scenario: 'search', eventDelay: 100 });
  await chat.open();
  await chat.effort.selectOption('low');
  await chat.message.fill('When?');
  await chat.message.press('Enter');
  await expect(chat.stop).toBeVisible();
  await expect(chat.answers).toHaveCount(1);
  await chat.stop.focus();
  await page.keyboard.press('Enter');
  await chat.hasStatus('ready');
  await expect.poll(() => simulator.runs[0]?.cancelRequests).toBe(1);
});
