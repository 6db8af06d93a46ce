import { answerText, plain, steps } from './support/chat-page';
import { expect, test } from './support/fixtures';

for (const level of ['low', 'high']) {
  test(`Stop ends an answer of ${level} effort within a second, with one cancel, and keeps the text`, async ({
    chat,
    api,
    page,
  }) => {
    const simulator = api.play({ scenario: 'search', eventDelay: 80 });
    await chat.open();
    await chat.effort.selectOption(level);
    await chat.ask('When were lighthouses automated?');
    await expect(chat.lastAnswer).toContainText('Lighthouses on this');

    const took = await page.evaluate(async () => {
      const main = document.querySelector('main');
      const button = [...document.querySelectorAll('button')].find(
        (one) => one.textContent?.trim() === 'Stop' || one.ariaLabel === 'Stop',
      );
      const start = performance.now();
      button?.click();
      while (main?.dataset.status !== 'ready' && performance.now() - start < 5000) {
        await new Promise(requestAnimationFrame);
      }
      return performance.now() - start;
    });
    expect(took, 'milliseconds from the click to ready').toBeLessThan(1000);
    await expect(chat.stop).toHaveCount(0);
    await expect.poll(() => simulator.runs[0]?.status, { timeout: 3000 }).toBe('cancelled');
    const kept = await answerText(chat.lastAnswer);
    expect(kept).toContain('Lighthouses on this');
    expect(
      plain(
        'Lighthouses on this coast have been unmanned since 1998 and are watched from a single control room. The lamps had long',
      ),
    ).not.toBe(kept);

    await chat.reload();
    await chat.hasStatus('ready');
    const stored = await answerText(chat.lastAnswer);
    expect(stored).toContain('Lighthouses on this');
    expect(stored).not.toContain('from 1912');
    await expect(steps(chat.lastAnswer).first()).toBeAttached();
    expect(api.cancels.map(({ status }) => status)).toEqual([200]);
    expect(simulator.runs.map(({ cancelRequests, status }) => [cancelRequests, status])).toEqual([[1, 'cancelled']]);

    // The chat goes on.
    api.play({ scenario: { name: 'plain', text: 'As you like.' } });
    const next = await chat.askAndWait('Shorter, please.');
    await expect(next).toContainText('As you like.');
    expect(api.cancels).toEqual([]);
  });
}

test('Stop cancels a deep run also where the picker of efforts has moved on', async ({ chat, api }) => {
  const simulator = api.play({ scenario: 'search', eventDelay: 80 });
  await chat.open();
  await chat.effort.selectOption('high');
  await chat.ask('When were lighthouses automated?');
  await expect(chat.lastAnswer).toContainText('Lighthouses');
  await chat.effort.selectOption('fast');
  await chat.stop.click();
  await chat.hasStatus('ready', 1000);
  await expect.poll(() => simulator.runs[0]?.status, { timeout: 3000 }).toBe('cancelled');
  expect(simulator.runs[0]?.cancelRequests).toBe(1);
});

test('Stop before the first word cancels, too', async ({ chat, api }) => {
  const simulator = api.play({ scenario: 'search', eventDelay: 150 });
  await chat.open();
  await chat.effort.selectOption('low');
  await chat.ask('When were lighthouses automated?');
  await expect(steps(chat.lastAnswer).first()).toBeAttached();
  await chat.stop.click();
  await chat.hasStatus('ready', 1000);
  await expect.poll(() => simulator.runs[0]?.status, { timeout: 3000 }).toBe('cancelled');
  expect(simulator.runs[0]?.cancelRequests).toBe(1);
});
