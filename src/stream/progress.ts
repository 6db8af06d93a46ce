import { asText, asTexts, type WireObject } from '../json.js';
import type { Redactor } from '../redact.js';
import type { CoreMetadata, CorePart } from '../spec.js';

/**
 * What the agent is doing, as reasoning: captions, queries and URLs of one research phase make one block, opened when
 * there is something to say (design decision 10; the captions are progress, not thoughts, `agent-api.md` §5.5).
 */
export type Progress = {
  /** A `response.reasoning.*` or `response.skill.loaded` event. */
  note(event: WireObject): void;
  /** An item that is done and has no part of its own: what it did, in a line. */
  noteItem(item: WireObject): void;
  /** A phase begins, before there is anything to say of it. */
  open(): void;
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
  /** What servers are told may come back in what a run says of them. */
  redact: Redactor;
}): Progress {
  let count = 0;
  let open: string | undefined;
  /** Skills that are loaded: both an event and an item tell of one. */
  const skills = new Set<string>();

  let isEmpty = true;

  function begin(): string {
    if (open !== undefined) return open;
    open = context.blockId(++count);
    isEmpty = true;
    context.emit({ type: 'reasoning-start', id: open, providerMetadata: context.metadata() });
    return open;
  }

  function add(lines: readonly string[]): void {
    if (!context.enabled || lines.length === 0) return;
    const id = begin();
    context.emit({ type: 'reasoning-delta', id, delta: context.redact(`${isEmpty ? '' : '\n'}${lines.join('\n')}`) });
    isEmpty = false;
  }

  function skillLine(name: unknown): string[] {
    const skill = asText(name);
    if (skill === undefined || skills.has(skill)) return [];
    skills.add(skill);
    return [`Loaded skill: ${skill}`];
  }

  return {
    note(event) {
      add([...linesOf(event), ...(event['type'] === 'response.skill.loaded' ? skillLine(event['name']) : [])]);
    },
    noteItem(item) {
      add(item['type'] === 'skill_loaded' ? skillLine(item['name']) : itemLines(item));
    },
    open() {
      if (context.enabled && count === 0) begin();
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
  const lines = caption === undefined ? [] : [caption];
  for (const list of LISTS) for (const entry of asTexts(event[list])) lines.push(`- ${entry}`);
  return lines;
}

/** Files that a run touches for good, and calls of MCP servers; what it only reads or searches would be noise. */
function itemLines(item: WireObject): string[] {
  if ((item['error'] ?? null) !== null) return [];
  switch (item['type']) {
    case 'sandbox_write_file':
      return line('Wrote file', item['file_path']);
    case 'sandbox_edit_file':
      return line('Edited file', item['file_path']);
    case 'share_file':
      return line('Shared file', item['filename'] ?? item['file_id']);
    case 'mcp_call':
      return line(`Called ${asText(item['server_label']) ?? 'a server'}`, item['name']);
    default:
      return [];
  }
}

function line(caption: string, value: unknown): string[] {
  const name = asText(value);
  return name === undefined ? [] : [`${caption}: ${name}`];
}
