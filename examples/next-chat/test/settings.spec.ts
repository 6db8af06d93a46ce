import { expect, test } from './support/fixtures';
import { toolsOf } from './support/scenarios';

test('domains and recency of the page arrive as filters of the search', async ({ chat, api }) => {
  api.play({ scenario: 'search' });
  await chat.open();
  await chat.effort.selectOption('low');
  await chat.openFilters();
  await chat.domains.fill('example.org, -forum.example.net');
  await chat.published.selectOption('week');
  await chat.askAndWait('When were lighthouses automated?');
  const body = api.sent(0);
  expect(body.effort).toBe('low');
  expect(toolsOf(body, 'web_search')).toEqual([
    {
      type: 'web_search',
      filters: { search_domain_filter: ['example.org', '-forum.example.net'], search_recency_filter: 'week' },
    },
  ]);
});

test('without filters the search has none', async ({ chat, api }) => {
  api.play({ scenario: 'search' });
  await chat.open();
  await chat.askAndWait('When were lighthouses automated?');
  for (const tool of toolsOf(api.sent(0), 'web_search')) expect(tool).toEqual({ type: 'web_search' });
});

test('a domain that is none is marked, and not sent', async ({ chat, api }) => {
  api.play({ scenario: 'search' });
  await chat.open();
  await chat.openFilters();
  await chat.domains.fill('https://example.org');
  await expect(chat.domains).toHaveAttribute('aria-invalid', 'true');
  await chat.askAndWait('When were lighthouses automated?');
  for (const tool of toolsOf(api.sent(0), 'web_search')) expect(tool).toEqual({ type: 'web_search' });
});

test('the switch turns the search off', async ({ chat, api }) => {
  api.play({ scenario: 'auto' });
  await chat.open();
  await chat.webSearch.click();
  await expect(chat.webSearch).not.toBeChecked();
  await chat.ask('When were lighthouses automated?');
  await expect.poll(() => api.creates.length).toBe(1);
  const body = api.sent(0);
  expect(toolsOf(body, 'web_search')).toEqual([]);
  expect(toolsOf(body, 'fetch_url')).toEqual([]);
  // A level searches by itself unless its tools are off.
  expect(body.max_tool_calls).toBe(0);
});

for (const level of ['fast', 'low', 'medium', 'high', 'xhigh', 'ultra']) {
  test(`effort ${level} arrives`, async ({ chat, api }) => {
    const isDeep = ['high', 'xhigh', 'ultra'].includes(level);
    api.play({ scenario: { name: 'plain', text: 'Here it is.' } });
    await chat.open();
    await chat.effort.selectOption(level);
    const answer = await chat.askAndWait('What is it?');
    await expect(answer).toContainText('Here it is.');
    expect(api.sent(0).effort).toBe(level);
    expect(api.sent(0).background ?? false).toBe(isDeep);
    expect(api.sent(0).stream).toBe(true);
  });
}

test('settings that no page sends are refused with the reason', async ({ chat, api, page, wire }) => {
  await chat.open();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }];
  const bad = [
    { effort: 'heroic', webSearch: true, domains: [], recency: 'any' },
    { effort: 'low', webSearch: true, domains: [], recency: 'century' },
    { effort: 'low', webSearch: 'perhaps', domains: [], recency: 'any' },
  ];
  const reasons = ['effort', 'recency', 'webSearch'];
  for (const [index, settings] of bad.entries()) {
    const response = await fetch(`${wire.url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, messages, settings }),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(reasons[index]);
  }
  expect(api.creates).toEqual([]);
});
