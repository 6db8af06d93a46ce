import { citations, source, sources } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { BEES, beeAnswer, message, run, search } from './support/scenarios';

test('[7] opens source 7 of the list and marks it', async ({ chat, api, page }) => {
  api.play({ scenario: () => beeAnswer() });
  await chat.open();
  await chat.effort.selectOption('fast');
  const answer = await chat.askAndWait('How do bees tell the way?');
  const seven = BEES[6];

  const link = answer.getByRole('link', { name: `Source 7: ${seven?.title}` });
  await expect(link).toHaveText('[7]');
  await expect(link).toHaveAttribute('data-source', '7');
  await expect(sources(answer)).not.toHaveAttribute('open');
  await expect(sources(answer).locator('summary')).toContainText('10 sources');
  await link.click();

  await expect(sources(answer)).toHaveAttribute('open');
  const entry = source(answer, 7);
  await expect(entry).toBeInViewport();
  expect(await entry.evaluate((element) => element.contains(document.activeElement)), 'focus is in source 7').toBe(
    true,
  );
  const marks = await answer
    .getByTestId('source')
    .evaluateAll((items) =>
      items.map((item) => getComputedStyle(item).backgroundColor + getComputedStyle(item).outline),
    );
  expect(marks[6], 'source 7 looks different from its neighbours').not.toBe(marks[5]);
  expect(page.url()).toMatch(/\/chat\//u);
});

test('each source shows title, site, date and snippet of the wire, and opens in a new tab', async ({ chat, api }) => {
  api.play({ scenario: () => beeAnswer() });
  await chat.open();
  const answer = await chat.askAndWait('How do bees tell the way?');
  await sources(answer).locator('summary').click();
  await expect(answer.getByTestId('source')).toHaveCount(BEES.length);
  for (const { id, url, title, snippet, date } of BEES) {
    const entry = source(answer, id);
    const link = entry.getByRole('link', { name: title });
    await expect(link).toHaveAttribute('href', url);
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('rel', /noopener/u);
    await expect(entry).toContainText(new URL(url).hostname);
    await expect(entry).toContainText(snippet);
    const shownDate = await entry.evaluate(
      (element) => element.querySelector('time')?.getAttribute('datetime') ?? element.textContent,
    );
    expect(shownDate).toContain(date);
  }
});

test('two result ids of one page show one number, and lead to one source', async ({ chat, api }) => {
  const again = BEES.slice(6, 8).map((page, index) => ({ ...page, id: 11 + index }));
  api.play({
    scenario: () =>
      run([
        search('bees dance', BEES),
        search('bees sun compass', again),
        message('First it says so [7], then it says so once more [11]; another page says more [12].'),
      ]),
  });
  await chat.open();
  await chat.effort.selectOption('fast');
  const answer = await chat.askAndWait('Is it so?');
  await expect(citations(answer)).toHaveText(['[7]', '[7]', '[8]']);
  await expect(answer.getByTestId('source')).toHaveCount(BEES.length);
});

test('numbers follow the list, whatever order the results come in', async ({ chat, api }) => {
  api.play({ scenario: 'parallel-searches' });
  await chat.open();
  const answer = await chat.askAndWait('What changed?');
  // On the wire: 11 is the first page that was found, 21 the eleventh, 1 the twentieth, since one page was found twice.
  await expect(citations(answer)).toHaveText(['[1]', '[11]', '[20]']);
  await citations(answer).last().click();
  await expect(source(answer, 20)).toContainText('Why pilots still want lights');
});

test('code and numbers that no result has are left alone', async ({ chat, api }) => {
  api.play({
    scenario: () =>
      run([search('bees', BEES.slice(0, 3)), message('In `hive[2]` and in [1912] nothing is cited, here [2] is.')]),
  });
  await chat.open();
  await chat.effort.selectOption('fast');
  const answer = await chat.askAndWait('Is it?');
  await expect(citations(answer)).toHaveText(['[2]']);
  await expect(answer.locator('code')).toHaveText('hive[2]');
  await expect(answer).toContainText('in [1912] nothing');
});

test('a link of the answer is a link only where it goes to the web', async ({ chat, api }) => {
  api.play({
    scenario: {
      name: 'plain',
      text: 'See [the hive](https://hives.example.org/), not [this](javascript:alert(1)) nor <img src=x onerror=alert(1)>.',
    },
  });
  await chat.open();
  const answer = await chat.askAndWait('Where?');
  await expect(answer.getByRole('link', { name: 'the hive' })).toHaveAttribute('rel', /noopener/u);
  const targets = await answer
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  expect(targets).toEqual(['https://hives.example.org/']);
  await expect(answer.locator('img')).toHaveCount(0);
  await expect(answer, 'HTML is text').toContainText('<img src=x');
});
