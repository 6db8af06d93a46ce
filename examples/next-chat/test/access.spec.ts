import AxeBuilder from '@axe-core/playwright';
import { sources } from './support/chat-page';
import { expect, test } from './support/fixtures';
import { LOOKS, SCENES } from './support/scenes';

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport, colorScheme: look.colorScheme });

    for (const scene of SCENES) {
      test(`${scene.name}: axe finds nothing serious, nothing is cut off`, async ({ chat, api, page }, info) => {
        await scene.arrange(chat, api);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);

        const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(width, 'the page is not wider than the screen').toBeLessThanOrEqual(0);
        const file = `${scene.name}-${look.name}-ai${process.env.AI_MAJOR ?? '7'}.png`;
        await page.screenshot({ path: `${info.project.testDir}/screenshots/${file}`, animations: 'disabled' });
      });
    }
  });
}

test('dark and light differ', async ({ chat, page }) => {
  await chat.open();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await background();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await background()).not.toBe(light);
});

test('nothing moves where motion is not wanted', async ({ chat, api, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  api.play({ scenario: 'search', eventDelay: 60 });
  await chat.open();
  await chat.ask('When were lighthouses automated?');
  await expect(chat.answers).toHaveCount(1);
  const running = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 10)
      .map((animation) => (animation.effect as KeyframeEffect).target?.className),
  );
  expect(running).toEqual([]);
  await chat.hasStatus('ready');
  await expect(sources(chat.lastAnswer)).toBeVisible();
});
