'use client';

import { useChat } from '@ai-sdk/react';
import { totalCost } from 'ai-sdk-provider-perplexity-agent/v4';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { dollars } from '@/lib/format';
import { DEFAULT_SETTINGS, isDeep, type Settings } from '@/lib/settings';
import type { ChatMessage } from '@/lib/types';
import { Composer } from './composer';
import { Message } from './message';
import { readNotes, saveNote, type Note } from './note-book';
import { NoteList } from './note-list';
import { SettingsBar } from './settings-bar';

/** So near to the end of the conversation a reader counts as being there. */
const NEAR_END_PX = 80;

/** One chat. `active`: a deep run goes on that was begun with these settings; it is taken up again. */
export function Chat({
  id,
  messages: stored,
  active,
  isSimulated,
}: {
  id: string;
  messages: ChatMessage[];
  active: Settings | undefined;
  isSimulated: boolean;
}) {
  const [settings, setSettings] = useState(active ?? DEFAULT_SETTINGS);
  // What is sent by itself, after a confirmation, goes with the settings of that moment.
  const current = useRef(settings);
  current.current = settings;
  const router = useRouter();
  const [transport] = useState(() => {
    const body = () => ({ settings: current.current });
    const fetchOrRefresh: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      // Nothing goes on any more: the answer was stored after this page was made.
      if (response.status === 204) router.refresh();
      return response;
    };
    return new DefaultChatTransport<ChatMessage>({ api: '/api/chat', body, fetch: fetchOrRefresh });
  });
  const { messages, sendMessage, regenerate, addToolOutput, stop, clearError, status, error } = useChat<ChatMessage>({
    id,
    messages: stored,
    resume: active !== undefined,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  });
  const isBusy = status === 'submitted' || status === 'streaming';
  // The picker may have moved on since the answer was asked for.
  const isDeepRun = isDeep(messages.at(-1)?.metadata?.effort ?? settings.effort);

  // Only the browser has them, so the first paint, which the server made, is without.
  const [notes, setNotes] = useState<Note[]>([]);
  useEffect(() => setNotes(readNotes()), []);

  const log = useRef<HTMLElement>(null);
  /** The reader is at the end, and stays there while the answer grows. */
  const isAtEnd = useRef(true);
  const { length } = messages;
  useEffect(() => {
    if (log.current !== null && isAtEnd.current) log.current.scrollTop = log.current.scrollHeight;
  }, [messages, error]);

  /** Why the run could not be stopped. */
  const [stopFault, setStopFault] = useState<string>();

  function send(message: Parameters<typeof sendMessage>[0]) {
    isAtEnd.current = true;
    setStopFault(undefined);
    void sendMessage(message);
  }

  /** A deep run outlives its stream, so it is cancelled by a request of its own; any other ends with its stream. */
  async function stopAnswer() {
    const fault = isDeepRun ? await cancelRunOf(id) : undefined;
    setStopFault(fault);
    // The run goes on and costs: the page must not look as if it had ended.
    if (fault !== undefined) return;
    await stop();
    // The stream may have told of the cancelled run a moment earlier; that was no error.
    clearError();
  }

  return (
    <main data-status={status} className="chat">
      <header className="top">
        <h1>Research chat</h1>
        <a href="/">New chat</a>
        <span data-testid="chat-cost" className="muted" aria-label="Cost of this chat">
          {dollars(totalCost(messages))}
        </span>
      </header>
      {isSimulated && (
        <p role="status" className="notice">
          Simulator: without PERPLEXITY_API_KEY the answers are invented.
        </p>
      )}

      <NoteList notes={notes} />

      <section
        ref={log}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        className="conversation"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
        }}
      >
        {length === 0 && (
          <p className="empty muted">
            Ask something that is worth looking up. You see the research, and where each statement comes from.
          </p>
        )}
        {messages.map((message, index) => (
          <Message
            key={message.id}
            message={message}
            isLive={isBusy && index === length - 1}
            onNote={({ toolCallId, note, isConfirmed }) => {
              if (isConfirmed) setNotes(saveNote(note));
              const output = isConfirmed ? { saved: true } : { saved: false, reason: 'The user declined.' };
              void addToolOutput({ tool: 'save_note', toolCallId, output });
            }}
          />
        ))}
        {isBusy && isDeepRun && (
          <p className="muted small">A deep run goes on when you close this page; come back for its answer.</p>
        )}
        {isBusy && stopFault !== undefined && (
          <p role="alert" className="error">
            The answer could not be stopped: {stopFault}
          </p>
        )}
        {error !== undefined && (
          <div role="alert" className="error">
            <p>{error.message}</p>
            <button type="button" onClick={() => void regenerate()}>
              Retry
            </button>
          </div>
        )}
      </section>

      <footer className="bottom">
        <SettingsBar settings={settings} onChange={setSettings} />
        <Composer isBusy={isBusy} onSend={send} onStop={() => void stopAnswer()} />
      </footer>
    </main>
  );
}

/** @returns why the run of a chat goes on, if it does. */
async function cancelRunOf(id: string): Promise<string | undefined> {
  try {
    const response = await fetch(`/api/chat/${id}/stop`, { method: 'POST' });
    return response.ok ? undefined : await response.text();
  } catch {
    return 'the server does not answer.';
  }
}
