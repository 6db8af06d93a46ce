import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CITATION, markdownOf, type NumberedSource } from '@/lib/sources';
import type { ChatMessage } from '@/lib/types';

/** The answer as Markdown; HTML in it is text. Citations open their source, other links a new tab. */
export function AnswerText({
  part,
  message,
  sources,
  onCite,
}: {
  part: Extract<ChatMessage['parts'][number], { type: 'text' }>;
  message: ChatMessage;
  sources: readonly NumberedSource[];
  onCite: (number: number) => void;
}) {
  return (
    <div className="text" data-testid="text">
      <Markdown
        remarkPlugins={[remarkGfm]}
        components={{
          a({ href = '', children }) {
            const number = href.startsWith(CITATION) ? Number(href.slice(CITATION.length)) : undefined;
            const source = sources.find((candidate) => candidate.number === number);
            // What goes nowhere or elsewhere than to the web has lost its address.
            if (href === '') return <>{children}</>;
            if (number === undefined || source === undefined) {
              return (
                <a href={href} target="_blank" rel="noopener noreferrer">
                  {children}
                </a>
              );
            }
            return (
              <a
                href={href}
                className="citation"
                data-testid="citation"
                data-source={number}
                aria-label={`Source ${number}: ${source.title}`}
                onClick={(event) => {
                  event.preventDefault();
                  onCite(number);
                }}
              >
                {children}
              </a>
            );
          },
        }}
      >
        {markdownOf(part, message, sources)}
      </Markdown>
    </div>
  );
}
