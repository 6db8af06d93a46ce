/**
 * Everything that the majors of the AI SDK must show of each face: one list, by topic, with the limits that are known. What
 * our models never do has no row: streams that throw or lack a finish, native calls without `dynamic` that nobody declared,
 * finish reason `unknown`, output files, approvals.
 */
import { answers } from './expectations/answers.js';
import { chats } from './expectations/chats.js';
import { endingRows } from './expectations/endings.js';
import { places } from './expectations/places.js';
import { prompts } from './expectations/prompts.js';
import { tools } from './expectations/tools.js';
import { wholes } from './expectations/whole.js';
import type { Row } from './world.js';

export const expectations: Row[] = [...answers, ...prompts, ...tools, ...endingRows, ...chats, ...places, ...wholes];
