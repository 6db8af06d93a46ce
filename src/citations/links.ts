import { createResolver, type CitationLookup } from './resolve.js';
import { createMarkerScanner, type Marker } from './scanner.js';

/**
 * Makes Markdown links of an answer's citations: `[7]` becomes `[[7]](https://…)`, which is shown as `[7]`. What is a
 * citation, and how its number is looked up, is said at `splitCitations`; a citation of an unknown source, or of one whose
 * address is not `http` or `https`, stays as it is. All else of the text stays too, but for a `!` right before a citation,
 * which is escaped, since it would make an image of the link. A text that was linked before is not changed.
 *
 * @param text A text part, or the text of one step.
 * @param sources `sources` of a result or a step, or the parts of a UI message.
 * @param citations `providerMetadata` of the step, the result or the text part, or what it holds under `perplexity`, or
 * the map `citations` in it.
 */
export function linkCitations(
  text: string,
  sources: readonly object[] | undefined,
  citations?: CitationLookup,
): string {
  const resolve = createResolver(sources, citations);
  const linker = createLinker((resultId) => resolve(resultId)?.url);
  return linker.push(text) + linker.end();
}

/** Links citations in text that comes in pieces. */
export type Linker = {
  /** Takes a piece; gives what can go out. */
  push(text: string): string;
  /** Gives the rest. */
  end(): string;
  /** Where a position of the text has moved to; known for what went out. */
  moved(position: number): number;
};

export function createLinker(urlOf: (resultId: string) => string | undefined): Linker {
  let found: Marker[] = [];
  const scanner = createMarkerScanner((marker) => found.push(marker));
  /** What has not gone out, and its position. */
  let rest = '';
  let position = 0;
  const shifts: Array<{ start: number; before: number; end: number; after: number }> = [];
  let shift = 0;

  function write(end: number): string {
    if (end === position) return '';
    const markers = found;
    found = [];
    let out = '';
    let from = position;
    const text = (start: number, until: number) => rest.slice(start - position, until - position);
    for (const marker of markers) {
      const target = linkTarget(urlOf(marker.resultId));
      if (target === undefined) continue;
      const bang = marker.isAfterBang ? '\\!' : '';
      const link = `[${text(marker.start, marker.end)}](${target})`;
      out += `${text(from, marker.start - (marker.isAfterBang ? 1 : 0))}${bang}${link}`;
      from = marker.end;
      const before = shift + (marker.isAfterBang ? 1 : 0);
      shift = before + link.length - (marker.end - marker.start);
      shifts.push({ start: marker.start, before, end: marker.end, after: shift });
    }
    out += text(from, end);
    rest = rest.slice(end - position);
    position = end;
    return out;
  }

  return {
    push(text) {
      scanner.push(text);
      rest += text;
      return write(scanner.settled());
    },
    end() {
      scanner.end();
      return write(position + rest.length);
    },
    moved(place) {
      // The last shift that begins before it.
      let low = 0;
      for (let high = shifts.length; low < high;) {
        const middle = (low + high) >> 1;
        if ((shifts[middle]?.start ?? Infinity) <= place) low = middle + 1;
        else high = middle;
      }
      const last = shifts[low - 1];
      if (last === undefined) return place;
      return place + (place < last.end ? last.before : last.after);
    },
  };
}

/** Whatever could end a link's address, begin something else in it or disguise it (bidirectional and unseen characters). */
const UNSAFE = /[\s\p{C}()<>[\]{}"'`\\|^]/gu;

function percentEncode(char: string): string {
  // Half of a surrogate pair is no character.
  if (/^\p{Cs}$/u.test(char)) return '%EF%BF%BD';
  return encodeURIComponent(char).replace(/['()]/, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

/** An address as it can stand in a Markdown link; undefined where it must not. Search results are nobody's friends. */
function linkTarget(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const target = url
    .trim()
    .replace(UNSAFE, percentEncode)
    // Markdown reads `&copy;` as a character.
    .replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;');
  try {
    const { protocol, host } = new URL(target);
    // `https://a.example\@b.example` leads to a.example as it is, and to b.example when it is encoded.
    const isSame = host === new URL(url).host;
    return isSame && (protocol === 'http:' || protocol === 'https:') ? target : undefined;
  } catch {
    return undefined;
  }
}
