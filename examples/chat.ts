/**
 * A chat in the terminal: `npm run chat`. Markdown while it comes, sources, and what each answer and all of them cost.
 *
 * Ctrl-C stops an answer, and the run with it; a second one, or one where no answer is going on, leaves.
 */
import { totalCost, type PerplexityAgentCost } from 'ai-sdk-provider-perplexity-agent';
import type { ModelMessage } from 'ai';
import { createInterface } from 'node:readline';
import { errorLine } from './ask/format.js';
import { printable } from './ask/printable.js';
import { chooseProvider } from './ask/provider.js';
import { takeTurn } from './chat/turn.js';

const LEVELS = ['fast', 'low', 'medium', 'high', 'xhigh', 'ultra'];
const HELP = `/effort <level>   how thorough: ${LEVELS.join(', ')}
/new              forget what was said
/help             this
/quit             leave
Ctrl-C stops an answer; another one leaves.
`;

const print = (text: string) => void process.stdout.write(text);
const hasColours = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';

const { provider, notice } = chooseProvider(undefined);
if (notice !== undefined) process.stderr.write(`${notice}\n`);

let effort = 'low';
let history: ModelMessage[] = [];
const costs: PerplexityAgentCost[] = [];
let answering: AbortController | undefined;
let isLeaving = false;

const lines = createInterface({
  input: process.stdin,
  output: process.stdout,
  terminal: process.stdin.isTTY,
  prompt: '> ',
});

function interrupt(): void {
  if (answering === undefined || answering.signal.aborted) lines.close();
  else answering.abort();
}
lines.on('close', () => (isLeaving = true));
// On a terminal readline takes the key; else it comes as a signal.
lines.on('SIGINT', interrupt);
process.on('SIGINT', interrupt);

print('Ask anything; /help tells more.\n');
lines.prompt();
for await (const line of lines) {
  const asked = line.trim();
  if (asked === '/quit') break;
  if (asked.startsWith('/')) command(asked);
  else if (asked !== '') await answer(asked);
  // Lines that came before the end of a pipe are still answered; a closed prompt would keep the process.
  if (!isLeaving) lines.prompt();
}
lines.close();

function command(line: string): void {
  const [name, argument = ''] = line.split(/\s+/);
  if (name === '/help') print(HELP);
  else if (name === '/new') {
    history = [];
    print('A new chat.\n');
  } else if (name === '/effort' && LEVELS.includes(argument)) {
    effort = argument;
    print(`Effort: ${effort}.\n`);
  } else if (name === '/effort') print(`The levels are ${LEVELS.join(', ')}.\n`);
  else print(`${name} is unknown. ${HELP}`);
}

async function answer(question: string): Promise<void> {
  answering = new AbortController();
  const asked: ModelMessage[] = [...history, { role: 'user', content: question }];
  try {
    const { signal: abortSignal } = answering;
    const turn = await takeTurn({ provider, effort, history: asked, abortSignal, print, hasColours });
    // A question without an answer is forgotten: it can be asked again.
    if (turn.messages.length > 0) history = [...asked, ...turn.messages];
    costs.push(turn.cost);
    if (turn.wasStopped) print('Stopped.\n');
    if (turn.error !== undefined) print(`${printable(errorLine(turn.error))}\n`);
    const sum = totalCost(costs.map((cost) => ({ metadata: { cost } }))).totalCost;
    if (costs.length > 1 && sum !== undefined) print(`This chat: $${sum.toFixed(5)}\n`);
  } finally {
    answering = undefined;
  }
}
