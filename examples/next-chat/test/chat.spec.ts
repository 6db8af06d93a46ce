/** The chat as a reader meets it: research, answer, sources, cost, settings. */
import manifest from '../package.json' with { type: 'json' };
import { runOf } from './app';
import { expect, test } from './fixtures';

const isAi5 = manifest.dependencies.ai.startsWith('5.');

const QUESTION = 'When were lighthouses automated?';

type Body = {
  effort?: string;
  input: { role?: string; type: string }[];
  tools?: { type: string; filters?: object }[];
  max_tool_calls?: number;
};

test('text appears progressively, and research before it', async ({ chat }) => {
  // Each state of the answer that was painted: how much text, how many steps.
  await chat.page.evaluate(() => {
    const seen: [number, number, boolean][] = [];
    Object.assign(window, { seen });
    const look = () => {
      const text = document.querySelector('[data-testid=text]')?.textContent?.length ?? 0;
      const steps = document.querySelectorAll('[data-testid=research-step]').length;
      const isOpen = document.querySelector<HTMLDetailsElement>('[data-testid=research]')?.open === true;
      const last = seen.at(-1);
      if (last?.[0] !== text || last[1] !== steps) seen.push([text, steps, isOpen]);
      requestAnimationFrame(look);
    };
    look();
  });
  await chat.send(QUESTION);
  await chat.done();
  const seen = await chat.page.evaluate(() => (window as unknown as { seen: [number, number, boolean][] }).seen);
  const texts = new Set(seen.map(([text]) => text).filter((text) => text > 0));
  expect(texts.size).toBeGreaterThanOrEqual(5);
  const firstSteps = seen.findIndex(([, steps]) => steps > 0);
  const firstText = seen.findIndex(([text]) => text > 0);
  expect(firstSteps).toBeGreaterThanOrEqual(0);
  expect(firstSteps).toBeLessThan(firstText);
  expect(seen[firstSteps]?.[2]).toBe(true);
  await expect(chat.page.getByTestId('research')).toHaveJSProperty('open', false);
});

test('the research tells queries and results', async ({ chat }) => {
  await chat.send(QUESTION);
  await chat.done();
  await chat.page.getByTestId('research').locator('summary').click();
  const search = chat.page.locator('[data-testid=research-step][data-kind=web_search]');
  await expect(search).toContainText('Searched the web');
  await expect(search).toContainText('when were lighthouses automated');
  await expect(search).toContainText('10 results');
});

test('[7] opens source 7, which says what the wire says', async ({ chat, api }) => {
  await chat.send(QUESTION);
  await chat.done();
  const [run] = api.simulator.runs;
  const { output } = await runOf(api, run?.id ?? '');
  const results = output.find(({ type }) => type === 'search_results')?.results ?? [];
  await expect(chat.page.getByTestId('source')).toHaveCount(results.length);
  const citation = chat.page.getByTestId('citation').last();
  const number = Number(await citation.getAttribute('data-source'));
  await expect(citation).toHaveText(`[${number}]`);
  const cited = results[number - 1];
  await expect(citation).toHaveAttribute('aria-label', `Source ${number}: ${cited?.title}`);
  await expect(chat.page.getByTestId('sources')).toHaveJSProperty('open', false);

  await citation.click();
  const source = chat.page.locator(`[data-testid=source][data-number="${number}"]`);
  await expect(chat.page.getByTestId('sources')).toHaveJSProperty('open', true);
  await expect(source).toBeFocused();
  await expect(source).toHaveAttribute('data-cited', '');
  await expect(source.getByRole('link')).toHaveAttribute('href', cited?.url ?? '');
  await expect(source.getByRole('link')).toHaveText(cited?.title ?? '');
  await expect(source.getByTestId('site')).toHaveText(new URL(cited?.url ?? '').hostname);
  await expect(source.locator('time')).toHaveText(cited?.date ? [cited.date] : []);
  await expect(source).toContainText(cited?.snippet.slice(0, 40) ?? '');
});

test('the call of an MCP server is shown', async ({ chat, simulator }) => {
  simulator.use('mcp');
  await chat.send('Ask the server');
  await chat.done();
  await chat.page.getByTestId('research').locator('summary').click();
  const call = chat.page.locator('[data-testid=research-step][data-kind=server]');
  await expect(call).toContainText('Called server');
  await expect(call.locator('.outcome')).not.toBeEmpty();
});

test('a program of the sandbox is shown with what it printed', async ({ chat, simulator }) => {
  test.skip(isAi5, 'ai 5 takes no parts of tools that were not declared, and the page declares no sandbox');
  simulator.use('sandbox');
  await chat.send('Compute it');
  await chat.done();
  await chat.page.getByTestId('research').locator('summary').click();
  const program = chat.page.locator('[data-testid=research-step][data-kind=sandbox]');
  await expect(program).toContainText('Ran a program');
  await expect(program.locator('code')).not.toBeEmpty();
  await expect(program.locator('.outcome')).not.toBeEmpty();
});

test('two numbers of one page lead to the same source', async ({ chat, simulator }) => {
  simulator.use('parallel-searches');
  await chat.send('Compare them');
  await chat.done();
  await expect(chat.page.getByTestId('source')).toHaveCount(29);
  const marked = await chat.page
    .getByTestId('citation')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-source')));
  expect(marked.length).toBeGreaterThan(1);
  for (const number of marked)
    await expect(chat.page.locator(`[data-testid=source][data-number="${number}"]`)).toHaveCount(1);
});

test('cost and tokens are those of the wire, and the chat sums them', async ({ chat, api }) => {
  await chat.send(QUESTION);
  await chat.done();
  await chat.send('And by whom?');
  await chat.done();
  expect(api.simulator.runs).toHaveLength(2);
  let sum = 0;
  for (const [index, { id }] of api.simulator.runs.entries()) {
    const { usage } = await runOf(api, id);
    sum += usage.cost.total_cost;
    const tokens = usage.total_tokens.toLocaleString('en-US');
    await expect(chat.answers.nth(index).getByTestId('cost')).toHaveText(
      `$${usage.cost.total_cost.toFixed(5)} · ${tokens} tokens`,
    );
  }
  await expect(chat.page.getByTestId('chat-cost')).toHaveText(`$${sum.toFixed(5)}`);
});

test('a second turn works after a turn with native tools', async ({ chat, simulator }) => {
  await chat.send(QUESTION);
  await chat.done();
  await chat.send('And by whom?');
  await chat.done();
  await expect(chat.answers).toHaveCount(2);
  await expect(chat.answers.last().getByTestId('text')).toContainText('Lighthouses on this coast');
  expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
  const { input } = simulator.requests[1]?.body as Body;
  expect(input.filter(({ role }) => role !== 'system').map(({ role, type }) => role ?? type)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
});

test('settings arrive: effort, domains, recency; and without web search there is none', async ({ chat, simulator }) => {
  const { page } = chat;
  await page.getByRole('combobox', { name: 'Effort' }).selectOption('medium');
  await page.getByText('Filters').click();
  await page.getByRole('textbox', { name: 'Domains' }).fill('example.org, -example.com');
  await page.getByRole('combobox', { name: 'Published' }).selectOption('week');
  await chat.send(QUESTION);
  await chat.done();
  await page.getByRole('switch', { name: 'Web search' }).uncheck();
  await chat.send('Without the web?');
  await chat.done();
  const [first, second] = simulator.requests.map(({ body }) => body as Body);
  expect(first?.effort).toBe('medium');
  expect(first?.tools?.find(({ type }) => type === 'web_search')?.filters).toEqual({
    search_domain_filter: ['example.org', '-example.com'],
    search_recency_filter: 'week',
  });
  expect(second?.tools?.map(({ type }) => type)).toEqual(['mcp', 'function']);
  expect(second?.max_tool_calls).toBe(0);
});

test('a domain that is none is marked and not sent', async ({ chat, simulator }) => {
  await chat.page.getByText('Filters').click();
  const domains = chat.page.getByRole('textbox', { name: 'Domains' });
  await domains.fill('https://example.org');
  await expect(domains).toHaveAttribute('aria-invalid', 'true');
  await chat.send(QUESTION);
  await chat.done();
  expect(
    (simulator.requests[0]?.body as Body).tools?.find(({ type }) => type === 'web_search')?.filters,
  ).toBeUndefined();
});

for (const [button, saved] of [
  ['Save note', true],
  ['Decline', false],
] as const) {
  test(`a note waits for the reader: ${button}`, async ({ chat, simulator }) => {
    const note = { title: 'Lighthouses', text: 'Unmanned since 1998.' };
    simulator.use({ name: 'tool-call', calls: [{ name: 'save_note', arguments: JSON.stringify(note) }] });
    await chat.send('Take a note');
    await chat.done();
    const group = chat.page.getByRole('group', { name: 'Save this note?' });
    await expect(group).toContainText(note.title);
    await expect(group).toContainText(note.text);
    expect(simulator.requests).toHaveLength(1);
    await group.getByRole('button', { name: button }).click();
    await expect(chat.page.getByTestId('cost')).toBeVisible();
    await expect.poll(() => simulator.requests.length).toBe(2);
    await chat.done();
    const output = (simulator.requests[1]?.body as { input: { type: string; output?: string }[] }).input.find(
      ({ type }) => type === 'function_call_output',
    )?.output;
    expect(JSON.parse(output ?? '')).toEqual(saved ? { saved } : { saved, reason: 'The user declined.' });
    await expect(
      chat.page.getByText(saved ? 'Saved the note “Lighthouses”.' : 'The note was not saved.'),
    ).toBeVisible();
    await expect(chat.page.getByTestId('notes')).toHaveCount(saved ? 1 : 0);
    await expect(chat.answers).toHaveCount(1);
    await expect(chat.answers.getByTestId('text').last()).not.toBeEmpty();
  });
}

test('an image and a PDF go with the question', async ({ chat, simulator }) => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await chat.page.getByLabel('Attach files').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: png },
    { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') },
  ]);
  await expect(chat.page.getByRole('list', { name: 'Files to send' }).getByRole('listitem')).toHaveCount(2);
  await chat.send('What is on these?');
  await chat.done();
  await expect(chat.page.getByRole('img', { name: 'dot.png' })).toBeVisible();
  await expect(chat.page.getByRole('article', { name: 'You' })).toContainText('report.pdf');
  const { input } = simulator.requests[0]?.body as { input: { role?: string; content: { type: string }[] }[] };
  const content = input.find(({ role }) => role === 'user')?.content ?? [];
  expect(content.map(({ type }) => type).sort()).toEqual(['input_file', 'input_image', 'input_text']);
});

test('everything works by keyboard alone', async ({ chat }) => {
  const { page } = chat;
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.type('When were they');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('automated?');
  await page.keyboard.press('Enter');
  await chat.done();
  await expect(page.getByRole('article', { name: 'You' })).toHaveText('When were they\nautomated?');
  await page.getByTestId('citation').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-cited]')).toBeFocused();
});

test('HTML and scripts in an answer are text', async ({ chat, simulator }) => {
  simulator.use({
    name: 'plain',
    text: 'Look: <img src=x onerror="document.title=\'taken\'"> [here](javascript:alert(1))',
  });
  await chat.send('Try it');
  await chat.done();
  await expect(chat.answers.getByTestId('text')).toContainText('<img src=x');
  await expect(chat.answers.locator('img')).toHaveCount(0);
  expect(await chat.page.title()).toBe('Research chat');
  expect(
    await chat.answers.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).not.toContain('javascript:alert(1)');
});
