import { useState } from 'react';
import type { ResearchStep } from '@/lib/research';

/** The steps of the research: open while they happen, folded up when the answer is there, unless the reader says otherwise. */
export function Research({ steps, isLive }: { steps: readonly ResearchStep[]; isLive: boolean }) {
  const [chosen, choose] = useState<boolean>();
  if (steps.length === 0) return null;
  return (
    <details data-testid="research" className="research" open={chosen ?? isLive}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          choose(!(chosen ?? isLive));
        }}
      >
        {isLive ? 'Researching …' : 'Research'}
      </summary>
      <ol>
        {steps.map((step, index) => (
          <li
            key={`${step.kind}-${index}`}
            data-testid="research-step"
            data-kind={step.kind}
            className={step.isFailed ? 'failed' : undefined}
          >
            <span>{step.title}</span>
            {step.lines.map((line, place) => (
              <span key={`${place}-${line}`} className="line muted">
                {line}
              </span>
            ))}
            {step.code !== undefined && (
              <pre tabIndex={0}>
                <code>{step.code}</code>
              </pre>
            )}
            {step.outcome !== undefined && <span className="line muted outcome">{step.outcome}</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
