import { defineConfig } from '@playwright/test';

/** Run by `npm run test:browser` of the repository, which builds the app first. */
export default defineConfig({
  testDir: './test',
  // What the page looks like and what it sends do not depend on the major of the SDK.
  testIgnore: process.env.AI_MAJOR === '5' ? ['access.spec.ts', 'settings.spec.ts'] : [],
  outputDir: './test/results',
  // One at a time: the simulator of a test answers all that the server asks meanwhile.
  workers: 1,
  fullyParallel: false,
  // In CI a machine may be too busy for a moment; what passes at the second try is told as flaky.
  retries: process.env.CI ? 2 : 0,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    headless: true,
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // No name resolves, so nothing can leave the machine unseen.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    },
  },
});
