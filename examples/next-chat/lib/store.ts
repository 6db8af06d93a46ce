/** Chats as files, so that a reload, a crash or another device finds them. A database in a real app. Server only. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from './settings';
import type { ChatMessage } from './types';

/** A deep run that nobody has read to its end. */
export type ActiveRun = {
  /** Absent until the first part names it. */
  responseId?: string;
  /** Id of the message that it answers with. */
  messageId: string;
  settings: Settings;
  /** Somebody pressed Stop: what is there is all that there will be. */
  isStopped?: boolean;
};

export type StoredChat = { messages: ChatMessage[]; active?: ActiveRun };

const folder = process.env.CHAT_STORE_DIR ?? '.data';

/** An id comes from an address: it must not lead out of the folder. */
export const isChatId = (id: string): boolean => /^[\w-]{8,64}$/.test(id);

const fileOf = (id: string) => {
  if (!isChatId(id)) throw new Error('This is no id of a chat.');
  return join(/* turbopackIgnore: true */ folder, `${id}.json`);
};

export async function readChat(id: string): Promise<StoredChat> {
  try {
    return JSON.parse(await readFile(fileOf(id), 'utf8')) as StoredChat;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { messages: [] };
    throw error;
  }
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Makes one change after the other, each written whole: a reader never sees half a file.
 *
 * @returns the chat as it was before.
 */
export function changeChat(id: string, change: (chat: StoredChat) => StoredChat): Promise<StoredChat> {
  const turn = queue.then(async () => {
    const before = await readChat(id);
    const chat = change(before);
    await mkdir(folder, { recursive: true });
    const file = fileOf(id);
    await writeFile(`${file}.new`, JSON.stringify(chat));
    await rename(`${file}.new`, file);
    return before;
  });
  queue = turn.catch(() => undefined);
  return turn;
}
