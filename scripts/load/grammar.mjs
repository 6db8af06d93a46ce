/** The order that the parts of every stream keep. */

const OPENING = { 'text-start': 'text', 'reasoning-start': 'reasoning' };
const CLOSING = { 'text-end': 'text', 'reasoning-end': 'reasoning' };
const INSIDE = { 'text-delta': 'text', 'reasoning-delta': 'reasoning' };

/** Takes the parts of one stream; `end` tells what was out of order. */
export function createGrammar() {
  const problems = [];
  const open = new Set();
  const used = new Set();
  let count = 0;
  let finishes = 0;

  return {
    take({ type, id }) {
      if ((count === 0) !== (type === 'stream-start')) problems.push(`part ${count} is ${type}`);
      if (finishes > 0) problems.push(`${type} after finish`);
      count += 1;
      if (type === 'finish') finishes += 1;
      if (type in OPENING) {
        const block = `${OPENING[type]} ${id}`;
        if (used.has(block)) problems.push(`${block} opens twice`);
        used.add(block);
        open.add(block);
      }
      if (type in INSIDE && !open.has(`${INSIDE[type]} ${id}`)) problems.push(`${type} of ${id}, which is not open`);
      if (type in CLOSING && !open.delete(`${CLOSING[type]} ${id}`))
        problems.push(`${type} of ${id}, which is not open`);
    },
    end() {
      if (finishes !== 1) problems.push(`${finishes} finish parts`);
      for (const block of open) problems.push(`${block} was never closed`);
      return problems;
    },
  };
}
