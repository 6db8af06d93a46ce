import type { WireObject } from '../json.js';
import { terminalTypeOf } from './finish.js';

/**
 * A final response as the events that would have brought it. The terminal event carries the whole response, and the
 * mapper takes from it what no event before it told: so one event is enough.
 */
export const replay = (response: WireObject): WireObject[] => [{ type: terminalTypeOf(response), response }];
