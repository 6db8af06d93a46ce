/** What the V3 and the V4 face share: usage, warnings and options have one shape in both. */
import type { CoreCallOptions, CoreUsage, CoreWarning } from '../spec.js';

type Warning = { type: 'unsupported'; feature: string; details?: string } | { type: 'other'; message: string };

/** Total tokens have no place here: ai 6 and 7 add them up. */
export const toUsage = ({ inputTokens, outputTokens, raw }: CoreUsage) => ({
  inputTokens,
  outputTokens,
  ...(raw !== undefined && { raw }),
});

export function toWarning(warning: CoreWarning): Warning {
  if (warning.type === 'other') return warning;
  const { details } = warning;
  const feature = warning.type === 'setting' ? warning.setting : `tool ${warning.tool}`;
  return { type: 'unsupported', feature, ...(details !== undefined && { details }) };
}

/** Prompts and tools are read by their `type`, whichever specification they are of. */
export const toCoreOptions = (options: object) => options as CoreCallOptions;
