import { useId } from 'react';
import type { ChatMessage } from '@/lib/types';
import type { Note } from './note-book';

type NotePart = Extract<ChatMessage['parts'][number], { type: 'tool-save_note' }>;

/** What a reader said to a call. */
export type NoteAnswer = { toolCallId: string; note: Note; isConfirmed: boolean };

/** The model wants to save a note: nothing happens before the reader has said so. */
export function ConfirmNote({ part, onAnswer }: { part: NotePart; onAnswer: (answer: NoteAnswer) => void }) {
  const heading = useId();
  if (part.state === 'output-available') {
    return (
      <p className="muted small">
        {part.output.saved ? `Saved the note “${part.input.title}”.` : 'The note was not saved.'}
      </p>
    );
  }
  if (part.state !== 'input-available') return null;
  const { toolCallId, input: note } = part;
  return (
    <div role="group" aria-labelledby={heading} className="confirm">
      <p id={heading}>Save this note?</p>
      <p>
        <strong>{note.title}</strong>
        <br />
        {note.text}
      </p>
      <div className="row">
        <button type="button" className="primary" onClick={() => onAnswer({ toolCallId, note, isConfirmed: true })}>
          Save note
        </button>
        <button type="button" onClick={() => onAnswer({ toolCallId, note, isConfirmed: false })}>
          Decline
        </button>
      </div>
    </div>
  );
}
