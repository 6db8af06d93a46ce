/** Phone and desk, light and dark: nothing that keeps anybody out, and pictures to look at. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';

const QUESTION = 'When were lighthouses automated?';
const SCREENS = 'test-results/screens';

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desk', { width: 1280, height: 900 }],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${device}, ${colorScheme}`, async ({ chat, simulator, watch }) => {
      watch.allow(/status of 429/);
      const { page } = chat;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const look = async (name: string) => {
        await page.screenshot({ path: `${SCREENS}/${device}-${colorScheme}-${name}.png` });
        const { violations } = await new AxeBuilder({ page }).analyze();
        const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      };
      await look('empty');
      await chat.send(QUESTION);
      await expect(page.getByTestId('research-step').first()).toBeVisible();
      await page.screenshot({ path: `${SCREENS}/${device}-${colorScheme}-researching.png` });
      await chat.done();
      await page.getByTestId('citation').first().click();
      await look('answered');
      simulator.use({
        name: 'tool-call',
        calls: [{ name: 'save_note', arguments: '{"title":"Lighthouses","text":"Unmanned since 1998."}' }],
      });
      await chat.send('Take a note');
      await chat.done();
      await look('confirmation');
      await page.getByRole('button', { name: 'Decline' }).click();
      await expect(page.getByText('The note was not saved.')).toBeVisible();
      await chat.done();
      simulator.use('rate-limited');
      await chat.send('Once more');
      await chat.done('error');
      await look('error');
    });
  }
}
