/** Notes that a reader let the model save, in this browser. */
const KEY = 'notes';

export type Note = { title: string; text: string };

export function readNotes(): Note[] {
  try {
    const notes: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(notes) ? (notes as Note[]) : [];
  } catch {
    return [];
  }
}

/** @returns all notes, the new one among them. */
export function saveNote(note: Note): Note[] {
  const notes = [...readNotes(), note];
  localStorage.setItem(KEY, JSON.stringify(notes));
  return notes;
}
