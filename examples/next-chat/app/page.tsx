import { generateId } from 'ai';
import { redirect } from 'next/navigation';

// Each visit begins a chat of its own.
export const dynamic = 'force-dynamic';

export default function NewChat(): never {
  redirect(`/chat/${generateId()}`);
}
