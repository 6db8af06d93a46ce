/**
 * Reads a recorded stream: one JSON event per line, as in the recordings beside `agent-api.md`. Blank lines are skipped,
 * and so is what a dump of the wire has besides its `data:` lines.
 *
 * @throws SyntaxError naming the line that is not JSON.
 */
export function parseRecording(text: string): unknown[] {
  const events: unknown[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    // A dump of the wire is as good: names, comments and the `[DONE]` of other services are passed over.
    if (/^(event|id|retry)?:/u.test(line)) continue;
    const json = line.replace(/^data:/u, '').trim();
    if (json === '' || json === '[DONE]') continue;
    try {
      events.push(JSON.parse(json));
    } catch (cause) {
      throw new SyntaxError(`Line ${index + 1} of the recording is not JSON.`, { cause });
    }
  }
  return events;
}
