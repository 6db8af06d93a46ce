/** Looks at the page in each of its frames, as a reader would. */
import type { Page } from '@playwright/test';

/** What the last answer showed in a frame. */
export interface Frame {
  status: string;
  /** Length of the answer's text. */
  text: number;
  steps: number;
  isResearchOpen: boolean;
}

declare global {
  interface Window {
    frames_seen?: Frame[];
  }
}

/** Begins to look; each frame that shows something new is kept. */
export async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: Frame[] = [];
    window.frames_seen = seen;
    const look = (): void => {
      const answer = [...document.querySelectorAll('[role=log] article')].at(-1);
      const research = answer?.querySelector<HTMLDetailsElement>('[data-testid=research]');
      const copy = answer?.cloneNode(true) as Element | undefined;
      for (const other of copy?.querySelectorAll('details, [data-testid=cost], h1, h2, h3, header, footer, button') ??
        []) {
        other.remove();
      }
      const isAnswer = answer?.ariaLabel === 'Answer';
      const frame = {
        status: document.querySelector('main')?.dataset.status ?? '',
        text: isAnswer ? (copy?.textContent.trim().length ?? 0) : 0,
        steps: research?.querySelectorAll('[data-testid=research-step]').length ?? 0,
        isResearchOpen: research?.open ?? false,
      };
      if (JSON.stringify(frame) !== JSON.stringify(seen.at(-1))) seen.push(frame);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

export const framesOf = (page: Page): Promise<Frame[]> => page.evaluate(() => window.frames_seen ?? []);
