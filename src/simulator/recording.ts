/**
 * Reads a recorded stream: one JSON event per line, as in the recordings beside `agent-api.md`. Blank lines are skipped,
 * a leading `data:` is tolerated.
 *
 * @throws SyntaxError naming the line that is not JSON.
 */
export function parseRecording(text: string): unknown[] {
  const events: unknown[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    const json = line.replace(/^data:/u, '').trim();
    if (json === '') continue;
    try {
      events.push(JSON.parse(json));
    } catch (cause) {
      throw new SyntaxError(`Line ${index + 1} of the recording is not JSON.`, { cause });
    }
  }
  return events;
}
