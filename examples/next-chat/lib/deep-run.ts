/** A deep run that goes on while nobody reads. Server only. */
import { APICallError } from 'ai';
import { perplexity } from './perplexity';
import { readChat, type ActiveRun, type StoredChat } from './store';

const LONGEST_WAIT_MS = 30_000;
const BETWEEN_LOOKS_MS = 100;

/** A run whose id is known, and the messages that it answers. */
export type KnownRun = ActiveRun & { responseId: string } & Pick<StoredChat, 'messages'>;

/** The run of a chat. One that was just asked for has no id yet: it comes with the first sign of life, so that is awaited. */
export async function runOf(id: string): Promise<KnownRun | undefined> {
  for (let waited = 0; waited <= LONGEST_WAIT_MS; waited += BETWEEN_LOOKS_MS) {
    const { messages, active } = await readChat(id);
    if (active === undefined) return undefined;
    const { responseId } = active;
    if (responseId !== undefined) return { messages, ...active, responseId };
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
  return undefined;
}

/** Fires after `signal`, but not before the id of the run is stored: without that nobody could take the run up again, or stop it. */
export function whenKnown(id: string, signal: AbortSignal): AbortSignal {
  const reading = new AbortController();
  signal.addEventListener('abort', () => void runOf(id).finally(() => reading.abort(signal.reason)), { once: true });
  return reading.signal;
}

/** Whether the answer of a run that could not be read to its end can still be had. Where nobody knows, it may. */
export async function isUnderWay(responseId: string): Promise<boolean> {
  try {
    const { status } = await perplexity.responses.retrieve(responseId);
    return status !== 'failed' && status !== 'cancelled';
  } catch (error) {
    return !(APICallError.isInstance(error) && error.statusCode === 404);
  }
}
