import { useState } from 'react';
import { count, dollars } from '@/lib/format';
import { researchOf } from '@/lib/research';
import { sourcesOf } from '@/lib/sources';
import type { ChatMessage } from '@/lib/types';
import { AnswerText } from './answer-text';
import { Attachment } from './attachment';
import { ConfirmNote, type NoteAnswer } from './confirm-note';
import { Research } from './research';
import { SourceList } from './source-list';

/** `isLive`: the answer is still coming. */
export function Message({
  message,
  isLive,
  onNote,
}: {
  message: ChatMessage;
  isLive: boolean;
  onNote: (answer: NoteAnswer) => void;
}) {
  const [cited, setCited] = useState<number>();
  const sources = sourcesOf(message);
  const isAnswer = message.role === 'assistant';
  const { cost, tokens } = message.metadata ?? {};

  return (
    <article aria-label={isAnswer ? 'Answer' : 'You'} className={isAnswer ? 'answer' : 'question'} aria-busy={isLive}>
      {isAnswer && <Research steps={researchOf(message)} isLive={isLive} />}
      {message.parts.map((part, index) => {
        // Parts have no ids, and never move.
        const key = `${part.type}-${index}`;
        switch (part.type) {
          case 'text':
            return isAnswer ? (
              <AnswerText key={key} part={part} message={message} sources={sources} onCite={setCited} />
            ) : (
              <p key={key} className="plain">
                {part.text}
              </p>
            );
          case 'file':
            return <Attachment key={key} file={part} />;
          case 'tool-save_note':
            return <ConfirmNote key={key} part={part} onAnswer={onNote} />;
          default:
            return null;
        }
      })}
      <SourceList sources={sources} messageId={message.id} cited={cited} onShown={() => setCited(undefined)} />
      {cost !== undefined && (
        <p data-testid="cost" className="muted small">
          {dollars(cost)}
          {tokens !== undefined && ` · ${count(tokens)} tokens`}
        </p>
      )}
    </article>
  );
}
