/** Which call a request is (agent-api.md §1). */

/** The calls that the simulator answers. */
export type Route =
  | { call: 'create' }
  /** `startingAfter`: NaN when it is no number. */
  | { call: 'retrieve'; id: string; stream: boolean; startingAfter: number | undefined }
  | { call: 'cancel'; id: string }
  | { call: 'files'; id: string }
  | { call: 'file-content'; id: string; fileId: string }
  | { call: 'models' }
  | { call: 'retired' }
  | { call: 'unknown' };

const RUNS = /^(?:\/v1\/agent|\/v1\/responses|\/responses)(?:\/(?<id>[^/]+)(?<rest>\/.+)?)?$/u;
const CONTENT = /^\/files\/(?<fileId>[^/]+)\/content$/u;
const RETIRED = new Set(['/chat/completions', '/async/chat/completions']);

/** An id that is no valid escape is no id either; the API answers both alike. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The route of a method and URL. A known path with another method is as unknown as any. */
export function routeOf(method: string, url: URL): Route {
  const path = url.pathname.replace(/\/+$/u, '');
  if (method === 'POST' && RETIRED.has(path)) return { call: 'retired' };
  if (method === 'GET' && path === '/v1/models') return { call: 'models' };
  const groups = RUNS.exec(path)?.groups;
  if (groups === undefined) return { call: 'unknown' };
  const id = groups.id === undefined ? undefined : decoded(groups.id);
  if (id === undefined) return { call: method === 'POST' ? 'create' : 'unknown' };
  if (method === 'POST') return groups.rest === '/cancel' ? { call: 'cancel', id } : { call: 'unknown' };
  return method === 'GET' ? readingRoute(id, groups.rest, url) : { call: 'unknown' };
}

/** What is read of a run. */
function readingRoute(id: string, rest: string | undefined, url: URL): Route {
  if (rest === '/files') return { call: 'files', id };
  const fileId = CONTENT.exec(rest ?? '')?.groups?.fileId;
  if (fileId !== undefined) return { call: 'file-content', id, fileId: decoded(fileId) };
  if (rest !== undefined) return { call: 'unknown' };
  const startingAfter = url.searchParams.get('starting_after');
  return {
    call: 'retrieve',
    id,
    stream: url.searchParams.get('stream') === 'true',
    startingAfter: startingAfter === null ? undefined : Number(startingAfter),
  };
}
