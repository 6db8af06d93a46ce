import { answerText } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { beeAnswer, inputItems, toolsOf } from './support/scenarios';

test('a second turn works after a turn with native tools, and tells the API what was said', async ({ chat, api }) => {
  api.play({ scenario: 'parallel-searches' });
  await chat.open();
  await chat.openFilters();
  await chat.domains.fill('example.org');
  const first = await chat.askAndWait('What changed for lighthouses?');
  await expect(first).toContainText('Three things changed');
  api.simulator.use(() => beeAnswer());
  const second = await chat.askAndWait('And how do bees find their way?');
  await expect(second).toContainText('They dance');

  expect(api.creates.map(({ status }) => status)).toEqual([200, 200]);
  expect(toolsOf(api.sent(0), 'web_search')).toHaveLength(1);
  const items = inputItems(api.sent(1));
  expect(items.map(({ type, role }) => [type, role])).toEqual([
    ['message', 'user'],
    ['message', 'assistant'],
    ['message', 'user'],
  ]);
  const texts = items.map((item) => JSON.stringify(item));
  expect(texts[0]).toContain('What changed for lighthouses?');
  expect(texts[1]).toContain('the last one left in 1998');
  expect(texts[2]).toContain('And how do bees find their way?');
});

test('a chat is what it was after a reload, and goes on', async ({ chat, api, page }) => {
  api.play({ scenario: () => beeAnswer() });
  await chat.open();
  const first = await chat.askAndWait('How do bees find their way?');
  const shown = await answerText(first);
  await chat.reload();
  await expect(chat.questions).toHaveText(/How do bees find their way\?/u);
  expect(await answerText(chat.lastAnswer)).toBe(shown);
  await chat.askAndWait('And at night?');
  expect(inputItems(api.sent(1))).toHaveLength(3);
  await chat.reload();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.questions).toHaveCount(2);

  // Another chat knows nothing of it.
  const address = page.url();
  await chat.open();
  expect(page.url()).not.toBe(address);
  await expect(chat.questions).toHaveCount(0);
});
