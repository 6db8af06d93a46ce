import { useState } from 'react';
import { EFFORTS, RECENCIES, settingsSchema, type Settings } from '@/lib/settings';

const readDomains = (typed: string) =>
  settingsSchema.shape.domains.safeParse(typed.split(/[\s,]+/).filter((entry) => entry !== ''));

/** How thorough, and where to look. */
export function SettingsBar({ settings, onChange }: { settings: Settings; onChange: (settings: Settings) => void }) {
  // As it is typed; what counts is what can be read of it.
  const [domains, setDomains] = useState(settings.domains.join(', '));
  const areGood = readDomains(domains).success;
  const filters = settings.domains.length + (settings.recency === 'any' ? 0 : 1);
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change });

  function typeDomains(typed: string) {
    setDomains(typed);
    const parsed = readDomains(typed);
    if (parsed.success) set({ domains: parsed.data });
  }

  return (
    <fieldset className="settings">
      <legend className="hidden">How to answer</legend>
      <label>
        Effort
        <select value={settings.effort} onChange={(event) => set({ effort: event.target.value as Settings['effort'] })}>
          {Object.entries(EFFORTS).map(([level, purpose]) => (
            <option key={level} value={level}>
              {level} – {purpose}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          role="switch"
          checked={settings.webSearch}
          onChange={(event) => set({ webSearch: event.target.checked })}
        />
        Web search
      </label>
      {settings.webSearch && (
        <details className="filters">
          <summary>{filters === 0 ? 'Filters' : `Filters (${filters})`}</summary>
          <label>
            Domains
            <input
              type="text"
              placeholder="example.org, -example.com"
              value={domains}
              aria-invalid={!areGood}
              onChange={(event) => typeDomains(event.target.value)}
            />
          </label>
          <label>
            Published
            <select
              value={settings.recency}
              onChange={(event) => set({ recency: event.target.value as Settings['recency'] })}
            >
              {Object.entries(RECENCIES).map(([recency, name]) => (
                <option key={recency} value={recency}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </details>
      )}
    </fieldset>
  );
}
