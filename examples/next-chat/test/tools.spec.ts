import { research, steps } from './support/chat-page';
import { expect, test } from './support/fixtures';

test('a program of the sandbox and its output are shown', async ({ chat, api }) => {
  api.play({ scenario: 'sandbox', eventDelay: 10 });
  await chat.open();
  await chat.effort.selectOption('xhigh');
  const answer = await chat.askAndWait('Add the numbers from 1 to 10.');
  await expect(answer).toContainText('The sum is 55.');
  await research(answer).locator('summary').click();
  const step = steps(answer).and(answer.locator('[data-kind=sandbox]'));
  await expect(step).toContainText('print(sum(range(1, 11)))');
  await expect(step).toContainText('55');
});

test('calls of an MCP server are shown', async ({ chat, api }) => {
  api.play({ scenario: 'mcp', eventDelay: 10 });
  await chat.open();
  const answer = await chat.askAndWait('How many entries has the ledger?');
  await expect(answer).toContainText('The ledger has 12 entries.');
  await research(answer).locator('summary').click();
  const step = steps(answer).and(answer.locator('[data-kind=server]'));
  // The server's tool, what that was given and what came back.
  for (const piece of ['find_entries', '2025', '{"entries":12}']) await expect(step).toContainText(piece);
});

test('tools that the page does not know do not disturb the answer', async ({ chat, api }) => {
  for (const scenario of ['sandbox', 'mcp', 'office-skill', 'unknown-events', 'image', 'people'] as const) {
    api.play({ scenario });
    await chat.open();
    const answer = await chat.askAndWait('Go on.');
    await expect(answer).toContainText(/\w{4}/u);
    await expect(chat.alert).toHaveCount(0);
  }
});
