/** A good answer wrapped in things that no client knows yet (agent-api.md §4.2, §5.2). */
import type { OutputItem, StreamEvent } from '../types.js';
import { playSearch } from './answers.js';
import type { RunPlan, ScenarioContext } from './plan.js';

/** The search scenario with items of unknown types before and after. */
export function playUnknown(context: ScenarioContext): RunPlan {
  const plan = playSearch(context);
  const strangers: OutputItem[] = [
    { type: 'unknown', item_name: 'plan_outline', payload: { steps: 3 } },
    { type: 'skill_loaded', name: 'office/xlsx' },
    { type: 'hologram_results', holograms: null },
  ];
  return { ...plan, output: [...strangers, ...plan.output, { type: 'fetch_url_results', contents: null }] };
}

/** The stream with unknown events, and known ones full of nulls [3p], after the opening. Sequence numbers stay ascending. */
export function addUnknownEvents(events: StreamEvent[]): StreamEvent[] {
  const strangers = [
    { type: 'response.reasoning.started', thought: null },
    { type: 'response.unknown', payload: null },
    { type: 'response.weather.changed', outlook: { wind: 'fresh' } },
    { type: 'response.reasoning.fetch_url_results', contents: null, thought: null },
    { type: 'response.reasoning.search_results', results: null, thought: null },
    { type: 'response.output_text.done', item_id: 'msg_none', output_index: null, content_index: null, text: null },
    { type: 'response.reasoning.stopped', thought: null },
  ];
  const [opening, rest] = [events.slice(0, 2), events.slice(2)];
  return [
    ...opening,
    ...strangers.map((event, index) => ({ ...event, sequence_number: 2 + index })),
    ...rest.map((event) => ({ ...event, sequence_number: event.sequence_number + strangers.length })),
  ];
}
