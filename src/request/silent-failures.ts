/** Requests that the API takes without a word and then does not do what they ask: what to change is said beforehand. */
import type { ParsedOptions } from '../options.js';
import type { DeclaredTool, NativeTool } from './native-tools.js';
import type { Warnings } from './warnings.js';

/** The documentation asks for 3; a prober needed 5 and did not try fewer (`agent-api.md` §3.4). */
const FINANCE_STEPS = 3;

/** The level of one step (`agent-api.md` §9.2), with or without a version, and its old name. */
const ONE_STEP = /^fast(?:-search)?(?:@|$)/;

export function warnOfSilentFailures(request: {
  native: readonly DeclaredTool[];
  undeclared: readonly NativeTool[];
  options: ParsedOptions;
  isAgent: boolean;
  level: string | undefined;
  warnings: Warnings;
}): void {
  const { native, undeclared, options, warnings } = request;
  const finance = native.find(({ id }) => id === 'finance_search');
  const given = options.maxSteps ?? options.extraBody?.['max_steps'];
  const steps = typeof given === 'number' ? given : stepsOf(request);
  if (finance !== undefined && steps < FINANCE_STEPS) {
    warnings.other(
      `The tool '${finance.key}' (finance_search) takes several turns: with ${steps} the run ends without its data ` +
        'and without an error. Set providerOptions.perplexity.maxSteps to 5 (the documentation asks for at least ' +
        `${FINANCE_STEPS}), or use an effort level above fast.`,
    );
  }
  const sandbox = native.find(({ id }) => id === 'sandbox');
  if (sandbox === undefined) return;
  const others = [...native, ...undeclared].filter(({ id }) => id !== 'sandbox').map(({ wire }) => wire.type);
  if (others.length > 0) {
    // Perplexity's guide says so, a sample of its documentation combines them (§3.5).
    const isDefault = undeclared.some(({ id }) => id === 'web_search');
    warnings.other(
      `Beside the tool '${sandbox.key}' (sandbox), the API may drop the other native tools of the request ` +
        `(${[...new Set(others)].join(', ')}) without an error. ` +
        `${isDefault ? 'Set providerOptions.perplexity.webSearch: false' : 'Leave them out'}, or use them in a call of their own.`,
    );
  }
}

/** Turns of the model where the request does not say: one on a plain model, several on most levels (§2.1, §9.2). */
function stepsOf({ isAgent, level }: { isAgent: boolean; level: string | undefined }): number {
  return !isAgent || (level !== undefined && ONE_STEP.test(level)) ? 1 : Infinity;
}
