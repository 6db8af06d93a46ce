import { useEffect, useRef } from 'react';
import type { NumberedSource } from '@/lib/sources';

/** The pages of an answer. `cited`: a reader asks for this one; the list opens, and it gets the focus. */
export function SourceList({
  sources,
  messageId,
  cited,
  onShown,
}: {
  sources: readonly NumberedSource[];
  messageId: string;
  cited: number | undefined;
  onShown: () => void;
}) {
  const list = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (cited === undefined || list.current === null) return;
    list.current.open = true;
    for (const item of list.current.querySelectorAll<HTMLElement>('[data-number]')) {
      const isCited = item.dataset['number'] === String(cited);
      item.toggleAttribute('data-cited', isCited);
      if (isCited) item.focus();
    }
    onShown();
  }, [cited, onShown]);

  if (sources.length === 0) return null;
  return (
    <details ref={list} data-testid="sources" className="sources">
      <summary>{sources.length === 1 ? '1 source' : `${sources.length} sources`}</summary>
      <ol>
        {sources.map(({ number, url, title, site, date, snippet }) => (
          <li key={url} id={`${messageId}-source-${number}`} data-testid="source" data-number={number} tabIndex={-1}>
            <a href={url} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
            <p className="muted small">
              <span data-testid="site">{site}</span>
              {date !== undefined && (
                <>
                  {' · '}
                  <time dateTime={date}>{date}</time>
                </>
              )}
            </p>
            {snippet !== undefined && <p className="snippet">{snippet}</p>}
          </li>
        ))}
      </ol>
    </details>
  );
}
