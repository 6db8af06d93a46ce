import { asObject, asObjects, asText, defined, type WireObject } from '../json.js';
import { checkNoArgs } from './checks.js';
import { type FieldsOf, lazySchema } from './schemas.js';
import { listOfFields, type ServerTool, serverTool } from './server-tool.js';

/** The sandbox has no settings (`agent-api.md` §3). */
export type SandboxArgs = Record<string, never>;

/** The program that the model runs. */
export type SandboxInput = {
  code?: string;
  /** `'python'` or `'bash'`; one of the two forms of the wire leaves it out (§4.2). */
  language?: 'python' | 'bash' | (string & {});
};

/** What the program did. The wire has two forms (§4.2), which both come out as this one. */
export type SandboxOutput = {
  /** Of the session: `'completed'`, `'timed_out'`, `'failed'` or a word that is newer. */
  status?: string;
  language?: string;
  /** The container, where the wire names it. */
  containerId?: string;
  /** One per run program; the flat form of the wire has one. */
  results: Array<{
    /** At most about 1 MiB (§3.5). */
    stdout?: string;
    stderr?: string;
    /** 0 where the program ended well. */
    exitCode?: number;
    /** Milliseconds. */
    durationMs?: number;
    status?: string;
  }>;
};

const RUN_FIELDS: FieldsOf<SandboxOutput['results'][number]> = {
  stdout: 'string',
  stderr: 'string',
  exitCode: 'number',
  durationMs: 'number',
  status: 'string',
};

const inputSchema = lazySchema<SandboxInput>({ code: 'string', language: 'string' });

const outputSchema = lazySchema<SandboxOutput>({
  status: 'string',
  language: 'string',
  containerId: 'string',
  results: RUN_FIELDS,
});

/**
 * Perplexity's sandbox as a tool: the model writes programs and runs them in an isolated container. Calls and results
 * show up as provider-executed parts under the key that it has in `tools`; what it does with files is in `items` of the
 * metadata, files that it hands out in `files`. $0.03 per session of up to 20 minutes, searches inside it $0.0025 each
 * (2026-10, §3). Beside it, other native tools of the same request may be dropped (§3.5). A session that timed out or
 * failed is a result with `isError`; a program that ended with an exit code is not, whatever the code. Throws
 * InvalidArgumentError for any arg, since it has none.
 */
export function sandbox(args: SandboxArgs = {}): ServerTool<SandboxInput, SandboxOutput> {
  return serverTool({
    id: 'perplexity.sandbox',
    args: checkNoArgs(args, 'tools.sandbox'),
    description: 'Runs programs in a container on the servers of Perplexity.',
    inputSchema: inputSchema(),
    outputSchema: outputSchema(),
  });
}

/** The program, from the arguments of a call or from its item. */
export function sandboxInput(source: WireObject): SandboxInput {
  const code = asText(source['code']);
  // Without a program there is nothing to show yet.
  return code === undefined ? {} : defined<SandboxInput>({ code, language: asText(source['language']) });
}

/** A `sandbox_results` item of the wire, flat or nested, in the tool's output type; malformed fields are skipped. */
export function sandboxResult(item: unknown): SandboxOutput {
  const fields = asObject(item) ?? {};
  const isFlat = ['stdout', 'stderr', 'exit_code', 'duration_ms'].some((name) => (fields[name] ?? null) !== null);
  const runs = isFlat && !Array.isArray(fields['results']) ? [fields] : fields['results'];
  return defined<SandboxOutput>({
    status: asText(fields['status']),
    language: asText(fields['language']),
    containerId: asText(fields['container_id']),
    results: listOfFields(runs, RUN_FIELDS),
  });
}

/**
 * What went wrong with the session. A program that failed on its own has an exit code: its output is what the caller
 * wants to see, so that is a result like any other.
 */
export function sandboxError(item: WireObject): string | undefined {
  const status = item['status'];
  if (status === 'timed_out') return 'The sandbox session timed out.';
  const hasEnded = [item, ...asObjects(item['results'])].some(({ exit_code: code }) => typeof code === 'number');
  return status === 'failed' && !hasEnded ? 'The sandbox session failed.' : undefined;
}
