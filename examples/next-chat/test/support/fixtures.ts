/** The `test` of this suite: a server, an API and a chat page for each test, and a guard over all that the browser does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { TestApi } from './api';
import { ChatPage } from './chat-page';
import { KEY, watch } from './guard';
import { startNext, type NextServer } from './next-server';
import { RecordingProxy } from './recording-proxy';

interface App {
  api: TestApi;
  server: NextServer;
  proxy: RecordingProxy;
}

interface TestFixtures {
  api: TestApi;
  wire: RecordingProxy;
  chat: ChatPage;
  /** What the browser may complain of in this test. */
  expectedComplaint: RegExp | undefined;
  guard: void;
}

export const test = base.extend<TestFixtures, { app: App; hasKey: boolean }>({
  /** Whether the server has a key, and so the API of the tests; without one it simulates the API itself. */
  hasKey: [true, { option: true, scope: 'worker' }],
  app: [
    async ({ hasKey }, use) => {
      const store = mkdtempSync(join(tmpdir(), 'chats-'));
      const api = await TestApi.start();
      const live: Record<string, string> = hasKey ? { PERPLEXITY_API_KEY: KEY, PERPLEXITY_BASE_URL: api.url } : {};
      const server = await startNext({
        ...live,
        CHAT_STORE_DIR: store,
        MCP_SERVER_URL: 'https://mcp.example.com/ledger',
      });
      const proxy = await RecordingProxy.start(server.port);
      await use({ api, server, proxy });
      await proxy.close();
      await server.stop();
      await api.close();
      rmSync(store, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ app }, use) => use(app.proxy.url),
  api: async ({ app }, use) => {
    app.api.play({});
    await use(app.api);
  },
  wire: async ({ app }, use) => use(app.proxy),
  chat: async ({ page }, use) => use(new ChatPage(page)),
  expectedComplaint: [undefined, { option: true }],
  guard: [
    async ({ context, app, expectedComplaint }, use) => {
      app.proxy.forget();
      const check = watch(context, app.proxy, expectedComplaint);
      await use();
      check();
      expect(app.server.strayCalls, 'calls of the server beyond this machine').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
