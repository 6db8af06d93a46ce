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
    const textOf = (article: Element): number => {
      const copy = article.cloneNode(true) as Element;
      for (const other of copy.querySelectorAll('details, [data-testid=cost], h1, h2, h3, header, footer, button')) {
        other.remove();
      }
      return copy.textContent.trim().length;
    };
    const look = (): void => {
      const article = [...document.querySelectorAll('[role=log] article')].at(-1);
      const research = article?.querySelector<HTMLDetailsElement>('[data-testid=research]');
      const isAnswer = article !== undefined && /answer/iu.test(nameOf(article));
      const frame = {
        status: document.querySelector('main')?.dataset.status ?? '',
        text: isAnswer ? textOf(article) : 0,
        steps: research?.querySelectorAll('[data-testid=research-step]').length ?? 0,
        isResearchOpen: research?.open ?? false,
      };
      if (JSON.stringify(frame) !== JSON.stringify(seen.at(-1))) seen.push(frame);
      requestAnimationFrame(look);
    };
    const nameOf = (article: Element): string =>
      article.getAttribute('aria-label') ??
      document.querySelector(`#${article.getAttribute('aria-labelledby') ?? 'none'}`)?.textContent ??
      '';
    requestAnimationFrame(look);
  });
}

export const framesOf = (page: Page): Promise<Frame[]> => page.evaluate(() => window.frames_seen ?? []);
