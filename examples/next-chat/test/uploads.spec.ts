import { expect, test } from './support/fixtures';
import { PDF, PNG } from './support/files';
import { inputItems } from './support/scenarios';
import type { Json } from './support/api';

test('an image and a PDF are sent to the API and shown on the page', async ({ chat, api, page }) => {
  api.play({ scenario: { name: 'plain', text: 'A lighthouse, and its papers.' } });
  await chat.open();
  await chat.files.setInputFiles([PNG, PDF]);
  await expect(page.getByText('tower.png')).toBeVisible();
  await expect(page.getByText('papers.pdf')).toBeVisible();
  await chat.askAndWait('What are these?');

  const image = chat.questions.last().getByRole('img', { name: 'tower.png' });
  await expect(image).toBeVisible();
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
  await expect(chat.questions.last()).toContainText('papers.pdf');

  const content = contentOf(api.sent(0));
  const picture = content.find(({ type }) => type === 'input_image');
  const file = content.find(({ type }) => type === 'input_file');
  expect(picture?.image_url).toBe(`data:image/png;base64,${PNG.buffer.toString('base64')}`);
  expect(file?.filename).toBe('papers.pdf');
  expect(String(file?.file_data)).toContain(PDF.buffer.toString('base64'));
  expect(content.find(({ type }) => type === 'input_text')?.text).toBe('What are these?');

  await chat.reload();
  await expect(image).toBeVisible();
  await chat.askAndWait('Tell me more.');
  expect(JSON.stringify(api.sent(1))).toContain(PNG.buffer.toString('base64'));
});

test('a chosen file can be taken back', async ({ chat, api, page }) => {
  api.play({ scenario: { name: 'plain', text: 'Only papers.' } });
  await chat.open();
  await chat.files.setInputFiles([PNG, PDF]);
  await page.getByRole('button', { name: /remove.*tower\.png/iu }).click();
  await expect(page.getByText('tower.png')).toHaveCount(0);
  await chat.askAndWait('What is this?');
  const types = contentOf(api.sent(0)).map(({ type }) => String(type));
  expect(new Set(types)).toEqual(new Set(['input_file', 'input_text']));
  await expect(page.getByRole('button', { name: /remove/iu })).toHaveCount(0);
});

/** Content of the first message of a request. */
function contentOf(body: Json): Json[] {
  const content = inputItems(body)[0]?.content;
  return Array.isArray(content) ? (content as Json[]) : [];
}
