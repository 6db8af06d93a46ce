/** Without a key the app answers from the simulator that the package brings, and says so. */
import { expect, test } from '@playwright/test';
import { startApp } from './app';

test('without a key the page says that a simulator answers', async ({ page }) => {
  const app = await startApp({});
  try {
    await page.goto(app.url);
    await expect(page.getByRole('status')).toContainText('Simulator:');
    await page.getByRole('textbox', { name: 'Message' }).fill('When were lighthouses automated?');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('cost')).toContainText('tokens');
    await expect(page.getByTestId('source')).toHaveCount(10);
  } finally {
    await app.stop();
  }
});
