import { defineConfig } from '@playwright/test';

/** Debian's Chromium; nothing of it may call home. */
export default defineConfig({
  testDir: 'test',
  outputDir: 'test-results/runs',
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 40_000,
  expect: { timeout: 8_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
