import { cost } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { beeAnswer } from './support/scenarios';

test('cost and tokens are those of the wire to the digit, and the chat has their sum', async ({ chat, api }) => {
  const bills = [
    { input: 12_034, output: 567, total: 0.01234 },
    { input: 980, output: 19, total: 0.00321 },
  ];
  let turn = 0;
  api.play({ scenario: () => beeAnswer(bills[turn++]) });
  await chat.open();
  const first = await chat.askAndWait('How do bees tell the way?');
  await expect(cost(first)).toHaveText(/^\$0\.01234 · 12,601 tokens/u);
  await expect(chat.chatCost).toContainText('$0.01234');
  const second = await chat.askAndWait('And at night?');
  await expect(cost(second)).toHaveText(/^\$0\.00321 · 999 tokens/u);
  await expect(cost(first)).toHaveText(/^\$0\.01234 · 12,601 tokens/u);
  await expect(chat.chatCost).toContainText('$0.01555');

  await chat.reload();
  await expect(cost(first)).toHaveText(/^\$0\.01234 · 12,601 tokens/u);
  await expect(chat.chatCost).toContainText('$0.01555');
});
