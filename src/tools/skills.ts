import { asObject } from '../json.js';
import { invalid } from '../refusals.js';
import { type Check, further, listOf, oneOf, strict, text, textSuchAs } from './checks.js';

/** A skill: built in, written here, or saved with your organisation (`agent-api.md` §3.9). */
export type PerplexityAgentSkill =
  | { type: 'builtin'; name: 'office' | 'office/docx' | 'office/pdf' | 'office/pptx' | 'office/xlsx' | (string & {}) }
  /**
   * `name`: lower-case words joined by `-`, up to 64 characters; `description` up to 1,024 bytes; `instructions` up to
   * 65,536 bytes, 262,144 in all inline skills. Bytes are those of UTF-8.
   */
  | { type: 'inline'; name: string; description: string; instructions: string }
  /** `id`: `skill_…`, up to 128 characters; `version` omitted = the latest. */
  | { type: 'custom'; id: string; version?: string };

const utf8 = new TextEncoder();
const bytes = (value: string) => utf8.encode(value).length;
const upTo = (max: number) => textSuchAs(`a text of 1 to ${max} bytes in UTF-8`, (value) => bytes(value) <= max);

type SkillOf<T extends PerplexityAgentSkill['type']> = Extract<PerplexityAgentSkill, { type: T }>;

const SKILLS = new Map<unknown, Check<PerplexityAgentSkill>>([
  [
    'builtin',
    strict<SkillOf<'builtin'>>(
      { type: oneOf(['builtin']), name: textSuchAs("the name of a built-in skill such as 'office/xlsx'") },
      ['type', 'name'],
    ),
  ],
  [
    'inline',
    strict<SkillOf<'inline'>>(
      {
        type: oneOf(['inline']),
        name: textSuchAs(
          "1 to 64 characters: lower-case words and digits joined by '-'",
          (value) => value.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
        ),
        description: upTo(1_024),
        instructions: upTo(65_536),
      },
      ['type', 'name', 'description', 'instructions'],
    ),
  ],
  [
    'custom',
    strict<SkillOf<'custom'>>(
      {
        type: oneOf(['custom']),
        id: textSuchAs("the id of a saved skill, 'skill_…', of at most 128 characters", (value) =>
          /^skill_.{1,122}$/.test(value),
        ),
        version: text,
      },
      ['type', 'id'],
    ),
  ],
]);

const checkSkill: Check<PerplexityAgentSkill> = (value, path) => {
  const skill = asObject(value);
  const check = SKILLS.get(skill?.['type']);
  if (check !== undefined) return check(value, path);
  throw invalid(
    skill === undefined ? path : `${path}.type`,
    "must be a skill with a type of 'builtin', 'inline' or 'custom'",
  );
};

/** Skills of a call, as a user wrote them. */
export const checkSkills = further(listOf(checkSkill, 16, 'skills'), (skills, path) => {
  const total = skills.reduce((sum, skill) => sum + (skill.type === 'inline' ? bytes(skill.instructions) : 0), 0);
  if (total <= 262_144) return;
  throw invalid(path, `have ${total} bytes of inline instructions, at most 262144 are allowed; shorten them`);
});
