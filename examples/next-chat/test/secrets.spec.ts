import { expectNoKey, KEY } from './support/guard';
import { expect, test } from './support/fixtures';
import { beeAnswer } from './support/scenarios';

test('all that the browser gets is recorded: documents, scripts, streams; and the key is not in it', async ({
  chat,
  api,
  wire,
}) => {
  api.play({ scenario: () => beeAnswer() });
  await chat.open();
  await chat.askAndWait('How do bees tell the way?');
  await chat.reload();
  // The server did use the key, so it could have told it.
  expect(api.simulator.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  const received = wire.text;
  for (const piece of [
    '<!DOCTYPE html>',
    'data: {"type":"text-delta"',
    'text/event-stream',
    'application/javascript',
  ]) {
    expect(received.includes(piece), piece).toBe(true);
  }
  expect(wire.asked).toContain('POST /api/chat');
  expectNoKey(received);
  expect(received.includes(api.url), 'the address of the API').toBe(false);
});

test('an error that quotes the key does not bring it to the browser', async ({ chat, api }) => {
  api.play({
    scenario: {
      status: 400,
      body: { error: { message: `no such thing for ${KEY}`, type: 'invalid_request', code: 400 } },
    },
  });
  await chat.open();
  await chat.ask('What now?');
  await chat.hasStatus('error');
  await expect(chat.alert).toContainText('no such thing for');
});
