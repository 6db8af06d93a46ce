/** What the page is looked at in: moments of a chat, and kinds of screens. */
import { expect } from '@playwright/test';
import type { TestApi } from './api';
import { citations, sources, steps, type ChatPage } from './chat-page';
import { beeAnswer, noteCall } from './scenarios';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };

export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { name: `phone-${colorScheme}`, viewport: PHONE, colorScheme },
  { name: `desk-${colorScheme}`, viewport: DESK, colorScheme },
]);

interface Scene {
  name: string;
  arrange: (chat: ChatPage, api: TestApi) => Promise<void>;
}

export const SCENES: Scene[] = [
  { name: 'empty', arrange: (chat) => chat.open() },
  {
    name: 'researching',
    async arrange(chat, api) {
      // The run stays where it is, so that there is time to look.
      api.play({ scenario: 'parallel-searches', faults: [{ on: 'stream', fault: 'stall', afterEvents: 14 }] });
      await chat.open();
      await chat.effort.selectOption('low');
      await chat.ask('What changed for lighthouses?');
      await expect(steps(chat.lastAnswer).nth(1)).toBeVisible();
    },
  },
  {
    name: 'answered',
    async arrange(chat, api) {
      api.play({ scenario: () => beeAnswer() });
      await chat.open();
      await chat.effort.selectOption('fast');
      const answer = await chat.askAndWait('How do bees tell each other the way?');
      await citations(answer).first().click();
      await expect(sources(answer)).toHaveAttribute('open');
    },
  },
  {
    name: 'error',
    async arrange(chat, api) {
      api.play({ scenario: { name: 'cut', afterEvents: 24, end: 'reset' } });
      await chat.open();
      await chat.effort.selectOption('low');
      await chat.ask('When were lighthouses automated?');
      await expect(chat.alert).toBeVisible();
    },
  },
  {
    name: 'confirmation',
    async arrange(chat, api) {
      api.play({
        scenario: noteCall('The light at Cape Doubtful', 'Two flashes every ten seconds, white, seen for 18 miles.'),
      });
      await chat.open();
      await chat.effort.selectOption('low');
      await chat.ask('Make a note of the light.');
      await expect(chat.confirmation).toBeVisible();
      await chat.hasStatus('ready');
    },
  },
];
