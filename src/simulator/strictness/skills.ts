/** `skills` (agent-api.md §3.9). */
import { validationFailed } from '../errors.js';
import { asArray, objectsIn, type JsonObject } from '../json.js';
import { array, object, string, union, unknownDiscriminator } from './decode.js';
import { byteLength, checkBytes, checkCount, checkLength, checkOneOf, checkPattern } from './rules.js';

const MAX_INSTRUCTIONS = 65_536;
const MAX_ALL_INSTRUCTIONS = 262_144;

/** Shape of `skills`. */
export const skillsShape = array(
  union(
    {
      builtin: object({ type: string, name: string }, ['name']),
      inline: object({ type: string, name: string, description: string, instructions: string }, [
        'name',
        'description',
        'instructions',
      ]),
      custom: object({ type: string, id: string, version: string }, ['id']),
    },
    unknownDiscriminator,
  ),
);

/** Rules on the values inside `skills`. */
export function checkSkills(skills: unknown): void {
  checkCount(asArray(skills), 'skills', 16);
  let total = 0;
  for (const [index, skill] of objectsIn(skills).entries()) {
    checkSkill(skill, `skills[${index}]`);
    if (skill.type === 'inline') total += byteLength(String(skill.instructions));
  }
  if (total > MAX_ALL_INSTRUCTIONS) {
    throw validationFailed(`skills: instructions must have at most ${MAX_ALL_INSTRUCTIONS} bytes in all`);
  }
}

function checkSkill(skill: JsonObject, label: string): void {
  if (skill.type === 'builtin') {
    checkOneOf(skill.name, `${label}: name`, ['office', 'office/docx', 'office/pdf', 'office/pptx', 'office/xlsx']);
  }
  if (skill.type === 'inline') {
    checkPattern(skill.name, `${label}: name`, /^[a-z0-9]+(-[a-z0-9]+)*$/u);
    checkLength(skill.name, `${label}: name`, 1, 64);
    checkBytes(skill.description, `${label}: description`, 1024);
    checkBytes(skill.instructions, `${label}: instructions`, MAX_INSTRUCTIONS);
  }
  if (skill.type === 'custom') {
    checkPattern(skill.id, `${label}: id`, /^skill_/u);
    checkLength(skill.id, `${label}: id`, 1, 128);
  }
}
