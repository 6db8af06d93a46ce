/** What each test gets: the app, its API, and a page that is watched. */
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import type { AgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { KEY, startApi, startApp, type Api } from './app';

type Watch = {
  /** Lets a test break a rule on purpose: what the browser writes then. */
  allow(...messages: RegExp[]): void;
};

export type ChatPage = {
  page: Page;
  main: Locator;
  answers: Locator;
  /** Next has an alert of its own, for its navigation. */
  alert: Locator;
  send(text: string): Promise<void>;
  /** Waits until the answer is over. */
  done(status?: 'ready' | 'error'): Promise<void>;
};

type Fixtures = { api: Api; simulator: AgentApiSimulator; watch: Watch; chat: ChatPage };
type WorkerFixtures = { world: { api: Api; url: string } };

export const test = base.extend<Fixtures, WorkerFixtures>({
  world: [
    async ({}, use) => {
      const api = await startApi();
      const app = await startApp({
        PERPLEXITY_API_KEY: KEY,
        PERPLEXITY_BASE_URL: api.url,
        MCP_SERVER_URL: 'https://mcp.example.org/mcp',
      });
      await use({ api, url: app.url });
      await app.stop();
      await api.close();
    },
    { scope: 'worker' },
  ],

  api: async ({ world }, use) => {
    world.api.simulator.reset();
    world.api.simulator.use('search');
    await use(world.api);
  },

  simulator: async ({ api }, use) => use(api.simulator),

  // Holds for every test: nothing on the console, no call to elsewhere, and no key in anything that came.
  watch: [
    async ({ page }, use) => {
      const said: string[] = [];
      const allowed: RegExp[] = [];
      const foreign: string[] = [];
      const bodies: Promise<string>[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') said.push(message.text());
      });
      page.on('pageerror', (error) => said.push(String(error)));
      page.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol.startsWith('http') && hostname !== '127.0.0.1') foreign.push(request.url());
      });
      page.on('response', (response) => {
        const told = JSON.stringify(response.headers());
        // A body that was broken off has no text; what had come of it was on the page, which is searched too.
        bodies.push(
          response.text().then(
            (text) => told + text,
            () => told,
          ),
        );
      });
      await use({ allow: (...messages) => void allowed.push(...messages) });
      const shown = await page.content();
      await page.close();
      const received = (await Promise.all(bodies)).join('\n') + shown;
      expect(received.length).toBeGreaterThan(10_000);
      expect(received.includes(KEY)).toBe(false);
      expect(foreign).toEqual([]);
      expect(said.filter((message) => !allowed.some((pattern) => pattern.test(message)))).toEqual([]);
    },
    { auto: true },
  ],

  chat: async ({ page, world, api: _api }, use) => {
    await page.goto(world.url);
    await page.waitForURL(/\/chat\//);
    const main = page.locator('main');
    await expect(main).toHaveAttribute('data-status', 'ready');
    await use({
      page,
      main,
      answers: page.getByRole('article', { name: 'Answer' }),
      alert: main.getByRole('alert'),
      async send(text) {
        await page.getByRole('textbox', { name: 'Message' }).fill(text);
        await page.getByRole('button', { name: 'Send' }).click();
        await expect(page.getByRole('article', { name: 'You' }).last()).toContainText(text);
      },
      async done(status = 'ready') {
        await expect(main).toHaveAttribute('data-status', status, { timeout: 30_000 });
      },
    });
  },
});

export { expect };
