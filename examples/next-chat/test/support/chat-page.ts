/** The page under test, by roles and names. */
import { expect, type Locator, type Page } from '@playwright/test';

export class ChatPage {
  readonly main: Locator;
  readonly message: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly alert: Locator;
  readonly questions: Locator;
  readonly answers: Locator;
  readonly effort: Locator;
  readonly webSearch: Locator;
  readonly domains: Locator;
  readonly published: Locator;
  readonly files: Locator;
  readonly confirmation: Locator;
  readonly chatCost: Locator;

  constructor(readonly page: Page) {
    this.main = page.locator('main[data-status]');
    this.message = page.getByRole('textbox', { name: 'Message' });
    this.send = page.getByRole('button', { name: 'Send', exact: true });
    this.stop = page.getByRole('button', { name: 'Stop', exact: true });
    // Next has an alert of its own, an empty announcer of routes.
    this.alert = page.getByRole('alert').and(page.locator(':not(#__next-route-announcer__)'));
    const log = page.getByRole('log', { name: 'Conversation' });
    this.questions = log.getByRole('article', { name: 'You' });
    this.answers = log.getByRole('article', { name: 'Answer' });
    this.effort = page.getByRole('combobox', { name: 'Effort' });
    this.webSearch = page
      .getByRole('switch', { name: 'Web search' })
      .or(page.getByRole('checkbox', { name: 'Web search' }));
    this.domains = page.getByRole('textbox', { name: 'Domains' });
    this.published = page.getByRole('combobox', { name: 'Published' });
    this.files = page.getByLabel('Attach files');
    this.confirmation = page.getByRole('group', { name: 'Save this note?' });
    this.chatCost = page.getByTestId('chat-cost');
  }

  /** Unfolds domains and recency, which are not always wanted. */
  async openFilters(): Promise<void> {
    if (!(await this.domains.isVisible())) await this.page.getByText(/^Filters/u).click();
  }

  /** A new chat, ready for the first message. */
  async open(): Promise<void> {
    await this.page.goto('/');
    await expect(this.page).toHaveURL(/\/chat\/[\w-]+$/u);
    await this.isReady();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.isHydrated();
  }

  async isReady(): Promise<void> {
    await this.isHydrated();
    await this.hasStatus('ready');
  }

  /** What is typed before React is there would be lost. */
  async isHydrated(): Promise<void> {
    await this.message.waitFor();
    await this.page.waitForFunction(() => {
      const field = document.querySelector('textarea');
      return field !== null && Object.keys(field).some((name) => name.startsWith('__reactProps'));
    });
  }

  async hasStatus(status: 'ready' | 'submitted' | 'streaming' | 'error', timeout = 15_000): Promise<void> {
    await expect(this.main).toHaveAttribute('data-status', status, { timeout });
  }

  /** Sends a message; the answer has yet to come. */
  async ask(text: string): Promise<void> {
    await this.message.fill(text);
    await this.send.click();
    await expect(this.questions.last()).toContainText(text);
  }

  /** Sends a message and waits for the end of its answer. */
  async askAndWait(text: string): Promise<Locator> {
    const before = await this.answers.count();
    await this.ask(text);
    await expect(this.answers).toHaveCount(before + 1, { timeout: 15_000 });
    await this.hasStatus('ready');
    return this.answers.nth(before);
  }

  get lastAnswer(): Locator {
    return this.answers.last();
  }

  get retry(): Locator {
    return this.alert.getByRole('button', { name: 'Retry' });
  }
}

export const research = (answer: Locator): Locator => answer.getByTestId('research');
export const steps = (answer: Locator): Locator => answer.getByTestId('research-step');
export const sources = (answer: Locator): Locator => answer.getByTestId('sources');
export const citations = (answer: Locator): Locator => answer.getByTestId('citation');
export const cost = (answer: Locator): Locator => answer.getByTestId('cost');

/** The entry of a source in the list. */
export const source = (answer: Locator, number: number): Locator =>
  answer.locator(`[data-testid=source][data-number="${number}"]`);

/** The answer itself as it reads: without research, sources, cost, and without markers, whose numbers are the page's own. */
export async function answerText(answer: Locator): Promise<string> {
  const text = await answer.evaluate((article) => {
    const copy = article.cloneNode(true) as Element;
    for (const other of copy.querySelectorAll(
      'details, [data-testid=cost], [data-testid=citation], [role=group], h1, h2, h3, header, footer, button',
    )) {
      other.remove();
    }
    return copy.textContent;
  });
  return plain(text);
}

/** A text of the wire as the page shows it. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\s*\[(?:web:)?\d+\]/gu, '')
    .replaceAll('**', '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ (?=[.,])/gu, '')
    .trim();
