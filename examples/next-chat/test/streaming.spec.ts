import { answerText, plain, research, steps } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { framesOf, watchFrames } from './support/frames';

test('text is painted piece by piece, after the steps of the research, which fold up when it is done', async ({
  chat,
  api,
  page,
}) => {
  api.play({ scenario: 'search', eventDelay: 30 });
  await chat.open();
  await watchFrames(page);
  const answer = await chat.askAndWait('When were lighthouses automated?');

  const frames = await framesOf(page);
  const lengths = new Set(
    frames.filter(({ status, text }) => status === 'streaming' && text > 0).map(({ text }) => text),
  );
  expect(lengths.size, 'different lengths of the text that were painted before the end').toBeGreaterThan(8);
  expect(Math.min(...lengths)).toBeLessThan(Math.max(...lengths) / 3);

  const firstStep = frames.findIndex((frame) => frame.steps > 0);
  const firstText = frames.findIndex((frame) => frame.text > 0);
  expect(firstStep).toBeGreaterThan(-1);
  expect(firstStep).toBeLessThan(firstText);
  expect(frames[firstStep]?.isResearchOpen, 'the research is open while it goes on').toBe(true);
  await expect(research(answer)).not.toHaveAttribute('open');

  expect(await answerText(answer)).toBe(plain(api.text(0)));
});

test('the steps say what was searched and what was found', async ({ chat, api }) => {
  api.play({ scenario: 'parallel-searches', eventDelay: 5 });
  await chat.open();
  const answer = await chat.askAndWait('What changed for lighthouses?');
  await research(answer).locator('summary').click();
  await expect(research(answer)).toHaveAttribute('open');
  const shown = steps(answer);
  for (const query of [
    'when were lighthouses automated',
    'led lamps in lighthouses range',
    'do ships still need lighthouses with gps',
  ]) {
    await expect(shown.filter({ hasText: query }).first()).toBeVisible();
  }
  await expect(shown.filter({ hasText: 'standards.example.org/backup' }).first()).toBeVisible();
  // Each search and page once: what the agent tells of them is not repeated.
  await expect(shown).toHaveCount(4);
  await expect(shown.filter({ hasText: /Searching|Found|Fetch/u })).toHaveCount(0);
  for (const kind of await shown.evaluateAll((items) => items.map((item) => item.dataset.kind))) {
    expect(kind).toMatch(/^[a-z_]+$/u);
  }
});

test('a plain answer has no research and no sources', async ({ chat, api }) => {
  api.play({ scenario: { name: 'plain', text: 'Forty-two.' } });
  await chat.open();
  const answer = await chat.askAndWait('How much?');
  expect(await answerText(answer)).toBe('Forty-two.');
  await expect(steps(answer)).toHaveCount(0);
  await expect(answer.getByTestId('source')).toHaveCount(0);
});
