/**
 * One question over several effort levels: who answered, how long it took, what it cost. Live, each level is a billed run.
 *
 *   npm run example -- compare-efforts                                # fast, low and medium
 *   npm run example -- compare-efforts fast high --question "Why is the sky blue?"
 */
import { perplexityAgent, totalCost, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import { streamText } from 'ai';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { question: { type: 'string', default: 'When were lighthouses automated?' } },
});
const levels = positionals.length > 0 ? positionals : ['fast', 'low', 'medium'];
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());

const HEADINGS = ['Level', 'Model', 'First text', 'Total', 'Tool calls', 'Tokens in', 'Tokens out', 'Cost'];
const rows: string[][] = [];
for (const level of levels) {
  if (interrupt.signal.aborted) break;
  rows.push(await compare(level));
}
console.log(table([HEADINGS, ...rows]));
if (interrupt.signal.aborted) process.exitCode = 130;

/** Asks one level, and gives its row of the table. */
async function compare(level: string): Promise<string[]> {
  const progress = startProgress(level);
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(2)} s`;
  let firstText: string | undefined;
  try {
    const result = streamText({
      model: perplexityAgent(level),
      prompt: values.question,
      abortSignal: interrupt.signal,
      onError: () => {}, // thrown below, as a part of the stream
    });
    for await (const part of result.fullStream) {
      if (part.type === 'reasoning-delta') progress.show(part.text);
      if (part.type === 'text-delta' && firstText === undefined) {
        firstText = seconds();
        progress.show('writing the answer');
      }
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw new Error('stopped');
    }
    const total = seconds();
    const { inputTokens, outputTokens } = await result.usage;
    const metadata = ((await result.providerMetadata)?.perplexity ?? {}) as PerplexityAgentMetadata;
    const tools = Object.values(metadata.toolCallsDetails ?? {});
    const cost = totalCost(await result.steps).totalCost;
    return [
      level,
      metadata.servedModel ?? '?',
      firstText ?? '-',
      total,
      String(tools.reduce((sum, { invocation = 0 }) => sum + invocation, 0)),
      String(inputTokens ?? '?'),
      String(outputTokens ?? '?'),
      cost === undefined ? '?' : `$${cost.toFixed(5)}`,
    ];
  } catch (error) {
    process.exitCode = 1; // the other levels are asked all the same
    return [level, `failed: ${error instanceof Error ? error.message : String(error)}`, firstText ?? '-', seconds()];
  } finally {
    progress.stop();
  }
}

/** On a terminal one line that is written over, with the time so far; elsewhere a line for each thing that is new. */
function startProgress(level: string) {
  const { stderr } = process;
  const began = performance.now();
  let doing = 'asking';
  const draw = () => {
    const text = `${level}  ${((performance.now() - began) / 1000).toFixed(1)} s  ${doing}`;
    stderr.write(stderr.isTTY ? `\r\u001b[K${text.slice(0, (stderr.columns || 80) - 1)}` : `${level}: ${doing}\n`);
  };
  draw();
  const timer = stderr.isTTY ? setInterval(draw, 100) : undefined;
  return {
    show(text: string) {
      const line = text.trim().split('\n').at(-1) ?? '';
      if (line === '' || line === doing) return;
      doing = line;
      draw();
    },
    stop() {
      clearInterval(timer);
      if (stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}

/** Columns as wide as their widest cell; numbers to the right. What a failed row has no cells for stays empty. */
function table(lines: string[][]): string {
  const widthOf = (column: number) =>
    Math.max(...lines.map((cells) => (cells.length === HEADINGS.length ? (cells[column]?.length ?? 0) : 0)));
  const widths = HEADINGS.map((_, column) => widthOf(column));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
