import type { Note } from './note-book';

/** The notes that the reader let the model save. */
export function NoteList({ notes }: { notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  return (
    <details data-testid="notes" className="notes">
      <summary>{notes.length === 1 ? '1 note' : `${notes.length} notes`}</summary>
      <ul>
        {notes.map(({ title, text }, index) => (
          <li key={`${index}-${title}`}>
            <strong>{title}</strong> {text}
          </li>
        ))}
      </ul>
    </details>
  );
}
