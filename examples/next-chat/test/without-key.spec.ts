import { citations } from './support/chat-page';
import { expect, test } from './support/fixtures';

test.use({ hasKey: false });

test('without a key the page says so, and a simulator answers', async ({ chat, page }) => {
  await chat.open();
  await expect(page.getByRole('status').filter({ hasText: /^\s*Simulator:/u })).toBeVisible();
  const answer = await chat.askAndWait('When were lighthouses automated?');
  await expect(answer).toContainText('1998');
  await expect(citations(answer).first()).toBeVisible();
  await chat.reload();
  await expect(chat.lastAnswer).toContainText('1998');
});

test('its deep runs survive a reload, too', async ({ chat }) => {
  await chat.open();
  await chat.effort.selectOption('high');
  await chat.ask('When were lighthouses automated?');
  await expect(chat.lastAnswer).toContainText('199');
  await chat.reload();
  await chat.hasStatus('ready', 20_000);
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.lastAnswer).toContainText('1998');
  await expect(chat.alert).toHaveCount(0);
});

test('it asks before it saves a note', async ({ chat }) => {
  await chat.open();
  await chat.ask('Please make a note of this.');
  await chat.confirmation.getByRole('button', { name: 'Save note' }).click();
  await expect(chat.lastAnswer).toContainText('save_note returned', { timeout: 15_000 });
});
