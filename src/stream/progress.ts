import { asText, asTexts, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart } from '../spec.js';

/**
 * What the agent is doing, as reasoning: captions, queries and URLs of one research phase make one block, opened when
 * there is something to say (design decision 10; the captions are progress, not thoughts, `agent-api.md` §5.5).
 */
export type Progress = {
  /** A `response.reasoning.*` or `response.skill.loaded` event. */
  note(event: WireObject): void;
  /** The phase is over. */
  close(): void;
};

// The lists that tell what is being looked for, by event field.
const LISTS = ['queries', 'urls', 'tickers', 'categories'] as const;

export function createProgress(context: {
  enabled: boolean;
  /** Id of the n-th block, from 1. */
  blockId(count: number): string;
  metadata(): CoreMetadata;
  emit(part: CorePart): void;
}): Progress {
  let count = 0;
  let open: string | undefined;

  return {
    note(event) {
      if (!context.enabled) return;
      const lines = linesOf(event);
      if (lines.length === 0) return;
      const isNew = open === undefined;
      open ??= context.blockId(++count);
      if (isNew) context.emit({ type: 'reasoning-start', id: open, providerMetadata: context.metadata() });
      context.emit({ type: 'reasoning-delta', id: open, delta: `${isNew ? '' : '\n'}${lines.join('\n')}` });
    },
    close() {
      if (open === undefined) return;
      context.emit({ type: 'reasoning-end', id: open });
      open = undefined;
    },
  };
}

function linesOf(event: WireObject): string[] {
  const caption = asText(event['thought']);
  const skill = event['type'] === 'response.skill.loaded' ? asText(event['name']) : undefined;
  const lines = caption === undefined ? [] : [caption];
  if (skill !== undefined) lines.push(`Loaded skill: ${skill}`);
  for (const list of LISTS) for (const entry of asTexts(event[list])) lines.push(`- ${entry}`);
  return lines;
}
