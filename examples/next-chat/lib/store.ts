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

/** Writes one chat after the other's change, each whole: a reader never sees half a file. */
let queue: Promise<unknown> = Promise.resolve();

export function changeChat(id: string, change: (chat: StoredChat) => StoredChat): Promise<void> {
  const turn = queue.then(async () => {
    const chat = change(await readChat(id));
    await mkdir(folder, { recursive: true });
    const file = fileOf(id);
    await writeFile(`${file}.new`, JSON.stringify(chat));
    await rename(`${file}.new`, file);
  });
  queue = turn.catch(() => undefined);
  return turn;
}
