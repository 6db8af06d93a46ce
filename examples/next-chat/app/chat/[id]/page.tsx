import { notFound } from 'next/navigation';
import { Chat } from '@/components/chat';
import { isSimulated } from '@/lib/perplexity';
import { isChatId, readChat } from '@/lib/store';

// The store is read anew at each visit.
export const dynamic = 'force-dynamic';

export default async function ChatPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (!isChatId(id)) notFound();
  const { messages, active } = await readChat(id);
  // When the page asks again, because an answer was stored meanwhile, it begins with that.
  const key = `${id}-${messages.length}`;
  return <Chat key={key} id={id} messages={messages} active={active?.settings} isSimulated={isSimulated} />;
}
