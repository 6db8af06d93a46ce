import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { BASE, call, post } from './helpers.js';

const times = (length: number, value: unknown) => Array.from({ length }, () => value);
const ok = { model: 'openai/gpt-6-luna', input: 'Hello?' };
const withTool = (tool: unknown) => ({ ...ok, tools: [tool] });
const withFilters = (filters: unknown) => withTool({ type: 'web_search', filters });
const withParts = (...content: unknown[]) => ({ ...ok, input: [{ type: 'message', role: 'user', content }] });
const withItem = (item: unknown) => ({ ...ok, input: [item] });
const withFormat = (json_schema: unknown) => ({ ...ok, response_format: { type: 'json_schema', json_schema } });
const withSkill = (skill: unknown) => ({ ...ok, skills: [skill] });
const inlineSkill = { type: 'inline', name: 'tide-tables', description: 'Reads tides', instructions: 'Read.' };
const mcp = { type: 'mcp', server_label: 'crm', server_url: 'https://crm.example.com/mcp' };
const unknown = (field: string) => `invalid request body: json: unknown field "${field}"`;
const failed = (message: string) => `validation failed: ${message}`;
const schema = { type: 'object', properties: {} };

type Row = [name: string, body: unknown, message: string, more?: { type?: string; param?: string }];

const rows: Row[] = [
  // Unknown fields, at any depth.
  ['unknown field', { ...ok, seed: 1 }, unknown('seed'), { param: 'seed' }],
  ['reply-only field', { ...ok, presence_penalty: 0 }, unknown('presence_penalty'), { param: 'presence_penalty' }],
  [
    'unknown field in reasoning',
    { ...ok, reasoning: { effort: 'low', summary: 'auto' } },
    unknown('summary'),
    { param: 'summary' },
  ],
  [
    'unknown field in a message',
    withItem({ type: 'message', role: 'user', content: 'x', id: 'm' }),
    unknown('id'),
    { param: 'id' },
  ],
  [
    'unknown field in a part',
    withParts({ type: 'input_text', text: 'x', cache: true }),
    unknown('cache'),
    { param: 'cache' },
  ],
  [
    'id of a function_call',
    withItem({ type: 'function_call', id: 'fc', call_id: 'c', name: 'n', arguments: '{}' }),
    unknown('id'),
    { param: 'id' },
  ],
  [
    'unknown key of a tool output',
    withItem({ type: 'function_call_output', call_id: 'c', output: 'x', is_error: true }),
    unknown('is_error'),
    { param: 'is_error' },
  ],
  [
    'unknown field in a tool',
    withTool({ type: 'web_search', max_uses: 2 }),
    unknown('max_uses'),
    { param: 'max_uses' },
  ],
  [
    'filter outside filters',
    withTool({ type: 'web_search', search_recency_filter: 'day' }),
    unknown('search_recency_filter'),
    { param: 'search_recency_filter' },
  ],
  ['unknown field in filters', withFilters({ language: ['en'] }), unknown('language'), { param: 'language' }],
  [
    'nested function',
    withTool({ type: 'function', function: { name: 'f' } }),
    unknown('function'),
    { param: 'function' },
  ],
  ['file_id', withParts({ type: 'input_file', file_id: 'file_1' }), unknown('file_id'), { param: 'file_id' }],
  [
    'unknown field in a profile',
    { input: 'x', profile: { type: 'custom', id: 'p', name: 'n' } },
    unknown('name'),
    { param: 'name' },
  ],
  ['unknown field in json_schema', withFormat({ name: 'a', schema, type: 'x' }), unknown('type'), { param: 'type' }],
  // Types and nulls.
  [
    'null',
    { ...ok, temperature: null },
    'invalid request body: json: cannot unmarshal null into field "temperature" of type number',
    { param: 'temperature' },
  ],
  [
    'fraction for an integer',
    { ...ok, max_steps: 1.5 },
    'invalid request body: json: cannot unmarshal number into field "max_steps" of type integer',
    { param: 'max_steps' },
  ],
  [
    'tools not a list',
    { ...ok, tools: {} },
    'invalid request body: json: cannot unmarshal object into field "tools" of type array',
    { param: 'tools' },
  ],
  [
    'message content null',
    withItem({ type: 'message', role: 'user', content: null }),
    'invalid request body: json: cannot unmarshal null into field "input[0].content" of type array',
    { param: 'input[0].content' },
  ],
  [
    'metadata value',
    { ...ok, metadata: { run: 7 } },
    'invalid request body: json: cannot unmarshal number into field "metadata.run" of type string',
    { param: 'metadata.run' },
  ],
  [
    'metadata list',
    { ...ok, metadata: [] },
    'invalid request body: json: cannot unmarshal array into field "metadata" of type object',
    { param: 'metadata' },
  ],
  [
    'reasoning word',
    { ...ok, reasoning: 'low' },
    'invalid request body: json: cannot unmarshal string into field "reasoning" of type object',
    { param: 'reasoning' },
  ],
  [
    'tool word',
    withTool('web_search'),
    'invalid request body: json: cannot unmarshal string into field "tools[0]" of type object',
    { param: 'tools[0]' },
  ],
  // What shall answer.
  ['no model', { input: 'x' }, failed('at least one of model, models, effort, preset or profile is required')],
  [
    'effort and preset',
    { input: 'x', effort: 'low', preset: 'low' },
    failed('effort and preset cannot be used together'),
  ],
  ['unknown effort', { input: 'x', effort: 'extreme' }, failed('unknown effort "extreme"')],
  ['old name under effort', { input: 'x', effort: 'pro-search' }, failed('unknown effort "pro-search"')],
  ['unknown preset', { input: 'x', preset: 'sonar-pro' }, failed('unknown preset "sonar-pro"')],
  [
    'no provider prefix',
    { input: 'x', model: 'gpt-6-luna' },
    'invalid model "gpt-6-luna"',
    { type: 'invalid_model', param: 'model' },
  ],
  [
    'unknown provider',
    { input: 'x', models: ['mistral/large'] },
    'invalid model "mistral/large"',
    { type: 'invalid_model', param: 'model' },
  ],
  [
    'prefix alone',
    { input: 'x', model: 'openai/' },
    'invalid model "openai/"',
    { type: 'invalid_model', param: 'model' },
  ],
  ['empty chain', { input: 'x', models: [] }, failed('models must have between 1 and 5 entries')],
  [
    'six models',
    { input: 'x', models: Array(6).fill('openai/gpt-5') },
    failed('models must have between 1 and 5 entries'),
  ],
  [
    'profile with preset',
    { input: 'x', preset: 'low', profile: { type: 'custom', id: 'p' } },
    failed('profile and preset cannot be used together'),
  ],
  [
    'profile with effort',
    { input: 'x', effort: 'low', profile: { type: 'custom', id: 'p' } },
    failed('profile and effort cannot be used together'),
  ],
  ['profile type', { input: 'x', profile: { type: 'shared', id: 'p' } }, failed('profile.type must be one of: custom')],
  [
    'profile id',
    { input: 'x', profile: { type: 'custom', id: 'p'.repeat(129) } },
    failed('profile.id must have between 1 and 128 characters'),
  ],
  ['profile without id', { input: 'x', profile: { type: 'custom' } }, failed('profile.id is required')],
  [
    'anthropic without a cap',
    { input: 'x', model: 'anthropic/claude-opus-5-5' },
    failed('max_output_tokens is required when using Anthropic models'),
  ],
  [
    'anthropic in a chain',
    { input: 'x', models: ['openai/gpt-5', 'anthropic/claude-opus-5-5'] },
    failed('max_output_tokens is required when using Anthropic models'),
  ],
  // Input.
  ['empty text', { ...ok, input: '' }, failed('input cannot be empty')],
  ['missing input', { model: ok.model }, failed('input array cannot be empty')],
  ['empty list', { ...ok, input: [] }, failed('input array cannot be empty')],
  ['number', { ...ok, input: 7 }, failed('input array cannot be empty')],
  ['object', { ...ok, input: {} }, failed('input array cannot be empty')],
  ['item without type', withItem({ role: 'user', content: 'x' }), 'unknown discriminator value: '],
  ['item_reference', withItem({ type: 'item_reference', id: 'x' }), 'unknown discriminator value: item_reference'],
  ['reasoning item', withItem({ type: 'reasoning', summary: [] }), 'unknown discriminator value: reasoning'],
  [
    'role',
    withItem({ type: 'message', role: 'tool', content: 'x' }),
    failed('input[0]: role must be one of: user assistant system developer'),
  ],
  ['message without content', withItem({ type: 'message', role: 'user' }), failed('input[0].content is required')],
  ['output_text part', withParts({ type: 'output_text', text: 'x' }), 'unknown discriminator value: output_text'],
  ['input_audio', withParts({ type: 'input_audio', data: 'x' }), 'invalid type "input_audio"'],
  ['input_video', withParts({ type: 'input_video', data: 'x' }), 'invalid type "input_video"'],
  [
    'image without URL',
    withParts({ type: 'input_image', detail: 'auto' }),
    failed('input[0].content[0].image_url is required'),
  ],
  [
    'http image',
    withParts({ type: 'input_image', image_url: 'http://example.com/a.png' }),
    failed('input[0]: image_url must be an https URL'),
  ],
  [
    'long image URL',
    withParts({ type: 'input_image', image_url: `https://example.com/${'a'.repeat(2048)}` }),
    failed('input[0]: image_url must have at most 2048 characters'),
  ],
  [
    'file without data',
    withParts({ type: 'input_file', filename: 'a.pdf' }),
    failed('input[0]: input_file needs exactly one of file_data and file_url'),
  ],
  [
    'file with both',
    withParts({ type: 'input_file', filename: 'a.pdf', file_data: 'AA==', file_url: 'https://example.com/a.pdf' }),
    failed('input[0]: input_file needs exactly one of file_data and file_url'),
  ],
  [
    'file without name',
    withParts({ type: 'input_file', file_data: 'AA==' }),
    failed('input[0].content[0].filename is required'),
  ],
  [
    'long file name',
    withParts({ type: 'input_file', filename: `${'ä'.repeat(128)}.pdf`, file_data: 'AA==' }),
    failed('input[0]: filename must have at most 255 bytes'),
  ],
  [
    'file name with a path',
    withParts({ type: 'input_file', filename: 'docs/a.pdf', file_data: 'AA==' }),
    failed('input[0]: filename must be a base name with an extension'),
  ],
  [
    'file_url over http',
    withParts({ type: 'input_file', filename: 'a.pdf', file_url: 'http://example.com/a.pdf' }),
    failed('input[0]: file_url must be an https URL'),
  ],
  [
    '31 files',
    withParts(...times(31, { type: 'input_file', filename: 'a.pdf', file_data: 'AA==' })),
    failed('input must have at most 30 documents'),
  ],
  [
    'arguments not JSON',
    withItem({ type: 'function_call', call_id: 'c', name: 'n', arguments: '' }),
    failed('input[0]: arguments must be a JSON string'),
  ],
  [
    'arguments as an object',
    withItem({ type: 'function_call', call_id: 'c', name: 'n', arguments: {} }),
    'invalid request body: json: cannot unmarshal object into field "input[0].arguments" of type string',
    { param: 'input[0].arguments' },
  ],
  [
    'call without call_id',
    withItem({ type: 'function_call', name: 'n', arguments: '{}' }),
    failed('input[0].call_id is required'),
  ],
  [
    'output without output',
    withItem({ type: 'function_call_output', call_id: 'c' }),
    failed('input[0].output is required'),
  ],
  [
    'output status',
    withItem({ type: 'function_call_output', call_id: 'c', output: 'x', status: 'failed' }),
    failed('input[0]: status must be one of: in_progress completed incomplete'),
  ],
  [
    'file in an output',
    withItem({
      type: 'function_call_output',
      call_id: 'c',
      output: [{ type: 'input_file', filename: 'a.pdf', file_data: 'AA==' }],
    }),
    'unknown discriminator value: input_file',
  ],
  // Numbers and words.
  ['no steps', { ...ok, max_steps: 0 }, failed('max steps must be at least 1')],
  ['101 steps', { ...ok, max_steps: 101 }, failed('max steps must be at most 100')],
  ['negative tool calls', { ...ok, max_tool_calls: -1 }, failed('max tool calls must be at least 0')],
  ['no output tokens', { ...ok, max_output_tokens: 0 }, failed('max output tokens must be at least 1')],
  ['hot', { ...ok, temperature: 2.1 }, failed('temperature must be between 0 and 2')],
  ['top_p', { ...ok, top_p: -0.1 }, failed('top p must be between 0 and 1')],
  [
    'reasoning effort',
    { ...ok, reasoning: { effort: 'none' } },
    failed('reasoning effort must be one of: minimal low medium high xhigh max'),
  ],
  ['truncation', { ...ok, truncation: 'none' }, failed('truncation must be one of: auto disabled')],
  [
    '17 metadata entries',
    { ...ok, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) },
    failed('metadata must have at most 16 entries'),
  ],
  [
    'long metadata key',
    { ...ok, metadata: { ['k'.repeat(65)]: 'v' } },
    failed('metadata keys must have between 1 and 64 characters'),
  ],
  [
    'long metadata value',
    { ...ok, metadata: { k: 'v'.repeat(513) } },
    failed('metadata "k" must have between 0 and 512 characters'),
  ],
  // Tools.
  ['unknown tool', withTool({ type: 'web_search_preview' }), 'unknown discriminator value: web_search_preview'],
  [
    'reserved name',
    withTool({ type: 'function', name: 'search_web' }),
    'invalid request: invalid tools in request: custom function name "search_web" is reserved',
    { param: 'tools' },
  ],
  ['empty name', withTool({ type: 'function', name: '' }), failed('tools[0]: function name cannot be empty')],
  ['nameless function', withTool({ type: 'function' }), failed('tools[0].name is required')],
  [
    'recency word',
    withFilters({ search_recency_filter: 'decade' }),
    failed('tools[0]: search recency filter must be one of: hour day week month year'),
  ],
  [
    'recency with a date',
    withFilters({ search_recency_filter: 'day', search_after_date_filter: '01/31/2026' }),
    failed('tools[0]: search recency filter cannot be combined with date filters'),
  ],
  [
    'date in words',
    withFilters({ search_after_date_filter: '31 January' }),
    'tools[0]: search_after_date_filter must be a date of the form MM/DD/YYYY (got "31 January")',
    { type: 'invalid_date_format' },
  ],
  [
    'no such day',
    withFilters({ last_updated_before_filter: '02/30/2026' }),
    'tools[0]: last_updated_before_filter must be a date of the form MM/DD/YYYY (got "02/30/2026")',
    { type: 'invalid_date_format' },
  ],
  [
    '21 domains',
    withFilters({ search_domain_filter: Array(21).fill('example.com') }),
    'tools[0]: search domain filter must have at most 20 entries',
    { type: 'invalid_search_domain_filter' },
  ],
  [
    'domain with a scheme',
    withFilters({ search_domain_filter: ['https://example.com'] }),
    'tools[0]: search domain filter must not have a scheme (got "https://example.com")',
    { type: 'invalid_search_domain_filter' },
  ],
  [
    'long domain',
    withFilters({ search_domain_filter: ['a'.repeat(254)] }),
    'tools[0]: search domain filter entries must have between 1 and 253 characters',
    { type: 'invalid_search_domain_filter' },
  ],
  [
    'no results',
    withTool({ type: 'web_search', max_results: 0 }),
    failed('tools[0]: max results must be between 1 and 50'),
  ],
  [
    '51 results',
    withTool({ type: 'web_search', max_results: 51 }),
    failed('tools[0]: max results must be between 1 and 50'),
  ],
  [
    'search type',
    withTool({ type: 'web_search', search_type: 'pro' }),
    failed('tools[0]: search type must be one of: web fast'),
  ],
  [
    'context size',
    withTool({ type: 'web_search', search_context_size: 'huge' }),
    failed('tools[0]: search context size must be one of: low medium high'),
  ],
  [
    'country',
    withTool({ type: 'web_search', user_location: { country: 'Latvia' } }),
    failed('tools[0]: user location country must match ^[A-Za-z]{2}$'),
  ],
  [
    'latitude',
    withTool({ type: 'web_search', user_location: { country: 'LV', latitude: 91 } }),
    failed('tools[0]: user location latitude must be between -90 and 90'),
  ],
  [
    'coordinates alone',
    withTool({ type: 'web_search', user_location: { latitude: 1, longitude: 2 } }),
    failed('tools[0]: user location coordinates need a country'),
  ],
  ['no URLs', withTool({ type: 'fetch_url', max_urls: 0 }), failed('tools[0]: max urls must be between 1 and 10')],
  ['11 URLs', withTool({ type: 'fetch_url', max_urls: 11 }), failed('tools[0]: max urls must be between 1 and 10')],
  [
    'fetch budget',
    withTool({ type: 'fetch_url', total_budget_tokens: 120_001 }),
    failed('tools[0]: total budget tokens must be between 1 and 120000'),
  ],
  [
    '31 images',
    withTool({ type: 'image_search', max_results: 31 }),
    failed('tools[0]: max results must be between 1 and 30'),
  ],
  [
    'image domains',
    withTool({ type: 'image_search', filters: { domain_filter: Array(11).fill('a.example') } }),
    failed('tools[0]: domain filter must have at most 10 entries'),
  ],
  [
    'image format',
    withTool({ type: 'image_search', filters: { format_filter: ['tiff'] } }),
    failed('tools[0]: format filter must be one of: bmp gif jpeg png webp svg'),
  ],
  ['mcp without URL', withTool({ type: 'mcp', server_label: 'a' }), failed('tools[0].server_url is required')],
  [
    'mcp over http',
    withTool({ ...mcp, server_url: 'http://crm.example.com' }),
    failed('tools[0]: server_url must be an https URL'),
  ],
  [
    'mcp label',
    withTool({ ...mcp, server_label: 'a b' }),
    failed('tools[0]: server_label must match ^[a-zA-Z0-9_-]{1,64}$'),
  ],
  ['mcp twice', { ...ok, tools: [mcp, mcp] }, failed('tools[1]: server_label must be unique')],
  [
    '17 servers',
    { ...ok, tools: Array.from({ length: 17 }, (_, index) => ({ ...mcp, server_label: `s${index}` })) },
    failed('tools must have at most 16 mcp servers'),
  ],
  ['connector without id', withTool({ type: 'connector', server_label: 'a' }), failed('tools[0].id is required')],
  ['tool_choice word', { ...ok, tool_choice: 'any' }, failed('tool_choice must be one of: none auto required')],
  [
    'tool_choice empty',
    { ...ok, tool_choice: {} },
    failed('tool_choice needs either a type or a name'),
    { param: 'tool_choice' },
  ],
  [
    'tool_choice in the OpenAI way',
    { ...ok, tool_choice: { type: 'function', name: 'f' } },
    failed('tool_choice needs either a type or a name'),
    { param: 'tool_choice' },
  ],
  [
    'tool_choice of a stranger',
    { ...ok, tool_choice: { name: 'f' } },
    failed('tool_choice names no function "f"'),
    { param: 'tool_choice' },
  ],
  // Formats.
  [
    'json_object',
    { ...ok, response_format: { type: 'json_object' } },
    failed('response_format.type must be "json_schema"'),
  ],
  [
    'missing json_schema',
    { ...ok, response_format: { type: 'json_schema' } },
    failed('response_format.json_schema is required when type is "json_schema"'),
  ],
  ['missing name', withFormat({ schema }), failed('response_format.json_schema.name is required')],
  [
    'bad name',
    withFormat({ name: 'a b', schema }),
    failed('response_format.json_schema.name must match ^[a-zA-Z0-9_-]{1,64}$'),
  ],
  ['missing schema', withFormat({ name: 'a' }), failed('response_format.json_schema.schema is required')],
  [
    'root without a type',
    withFormat({ name: 'a', schema: {} }),
    expect.stringContaining('(got type="")'),
    { type: 'invalid_parameter' },
  ],
  [
    'root of two types',
    withFormat({ name: 'a', schema: { type: ['object', 'null'] } }),
    expect.stringContaining('(got type="[object,null]")'),
    { type: 'invalid_parameter' },
  ],
  [
    'unknown inner type',
    withFormat({ name: 'a', schema: { type: 'object', properties: { x: { type: 'bogus' } } } }),
    'invalid request',
  ],
  ['properties not a map', withFormat({ name: 'a', schema: { type: 'object', properties: [] } }), 'invalid request'],
  ['required not a list', withFormat({ name: 'a', schema: { type: 'object', required: 'x' } }), 'invalid request'],
  [
    'anyOf not a list',
    withFormat({ name: 'a', schema: { type: 'object', properties: { x: { anyOf: {} } } } }),
    'invalid request',
  ],
  [
    'items not a schema',
    withFormat({ name: 'a', schema: { type: 'object', properties: { x: { type: 'array', items: 'string' } } } }),
    'invalid request',
  ],
  // Skills.
  ['unknown skill type', withSkill({ type: 'remote' }), 'unknown discriminator value: remote'],
  [
    'unknown builtin',
    withSkill({ type: 'builtin', name: 'office/odt' }),
    failed('skills[0]: name must be one of: office office/docx office/pdf office/pptx office/xlsx'),
  ],
  [
    '17 skills',
    { ...ok, skills: times(17, { type: 'builtin', name: 'office' }) },
    failed('skills must have at most 16 entries'),
  ],
  [
    'skill name',
    withSkill({ ...inlineSkill, name: 'Tide' }),
    failed('skills[0]: name must match ^[a-z0-9]+(-[a-z0-9]+)*$'),
  ],
  [
    'long skill name',
    withSkill({ ...inlineSkill, name: 'a'.repeat(65) }),
    failed('skills[0]: name must have between 1 and 64 characters'),
  ],
  [
    'long skill description',
    withSkill({ ...inlineSkill, description: 'a'.repeat(1025) }),
    failed('skills[0]: description must have at most 1024 bytes'),
  ],
  [
    'long skill instructions',
    withSkill({ ...inlineSkill, instructions: 'a'.repeat(65_537) }),
    failed('skills[0]: instructions must have at most 65536 bytes'),
  ],
  [
    'long instructions in all',
    { ...ok, skills: times(5, { ...inlineSkill, instructions: 'a'.repeat(65_536) }) },
    failed('skills: instructions must have at most 262144 bytes in all'),
  ],
  ['custom skill id', withSkill({ type: 'custom', id: 'tides' }), failed('skills[0]: id must match ^skill_')],
  // Chains.
  [
    'unknown previous response',
    { ...ok, previous_response_id: 'resp_00000000-0000-4000-8000-000000000000' },
    'invalid request',
  ],
];

describe('strictness', () => {
  it.each(rows)('refuses: %s', async (_name, body, message, { type = 'invalid_request', param } = {}) => {
    const response = await post(createAgentApiSimulator(), body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { message, type, code: 400, ...(param && { param }) } });
  });

  const accepted: [name: string, body: unknown][] = [
    [
      'every scalar field',
      {
        ...ok,
        effort: 'fast@2026-10-16.0',
        instructions: '',
        language_preference: 'en',
        max_output_tokens: 1,
        max_steps: 100,
        max_tool_calls: 0,
        parallel_tool_calls: false,
        temperature: 0,
        top_p: 1,
        reasoning: { effort: 'max' },
        store: false,
        stream_options: { include_usage: true },
        metadata: { k: '' },
        truncation: 'auto',
        prompt_cache_key: 'k',
        service_tier: 'priority',
        user: 'u',
        safety_identifier: 's',
      },
    ],
    ['old preset', { input: 'x', preset: 'wide-research' }],
    ['profile', { input: 'x', profile: { type: 'custom', id: 'p', version: '3' } }],
    [
      'every filter',
      withFilters({
        search_domain_filter: ['example.com', '-example.org'],
        search_after_date_filter: '1/2/2026',
        search_before_date_filter: '2026-02-28',
        last_updated_after_filter: '12/31/2025',
      }),
    ],
    [
      'every search setting',
      withTool({
        type: 'web_search',
        search_type: 'fast',
        search_context_size: 'low',
        max_results: 50,
        max_tokens: 9,
        max_tokens_per_page: 9,
        user_location: { country: 'LV', city: 'Riga', region: 'Riga', latitude: 56.9, longitude: 24.1 },
      }),
    ],
    [
      'every tool',
      {
        ...ok,
        tools: [
          { type: 'fetch_url', max_urls: 10 },
          { type: 'people_search' },
          { type: 'finance_search' },
          { type: 'sandbox' },
          { type: 'image_search', max_results: 1, filters: { format_filter: ['png'], safe_search: false } },
          { ...mcp, headers: { a: 'b' }, require_approval: 'never' },
          { type: 'connector', id: 'connector_x', server_label: 'x' },
          { type: 'function', name: 'f', parameters: { any: ['thing'] }, strict: true },
        ],
        tool_choice: { name: 'f' },
      },
    ],
    ['tool_choice by type', { ...ok, tool_choice: { type: 'image_search' } }],
    [
      'images and files',
      withParts(
        { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(4000)}`, detail: null },
        { type: 'input_file', filename: 'a.pdf', file_url: 'https://example.com/a.pdf' },
      ),
    ],
    [
      'a round trip',
      {
        ...ok,
        input: [
          { type: 'message', role: 'developer', content: 'x' },
          { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}', thought_signature: 's' },
          {
            type: 'function_call_output',
            call_id: 'c',
            name: 'n',
            id: 'i',
            status: 'completed',
            thought_signature: 's',
            output: [
              { type: 'input_text', text: 'x' },
              { type: 'input_image', image_url: 'https://example.com/a.png' },
            ],
          },
        ],
      },
    ],
    [
      'skills',
      {
        ...ok,
        skills: [
          inlineSkill,
          { type: 'builtin', name: 'office/xlsx' },
          { type: 'custom', id: 'skill_1', version: '2' },
        ],
      },
    ],
    [
      'rich schema',
      withFormat({
        name: 'a',
        description: 'd',
        strict: true,
        schema: {
          type: 'object',
          properties: {
            x: { anyOf: [{ $ref: '#/$defs/y' }, { type: 'null' }] },
            z: { type: ['string', 'null'], items: [{ type: 'string' }] },
          },
          required: ['x'],
          additionalProperties: false,
          $defs: { y: { type: 'string' } },
        },
      }),
    ],
    ['anthropic with a cap', { input: 'x', model: 'anthropic/claude-opus-5-5', max_output_tokens: 64 }],
  ];

  it.each(accepted)('accepts: %s', async (_name, body) => {
    const response = await post(createAgentApiSimulator(), body);
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ status: 'completed' })]);
  });

  it('takes anything that is a JSON object when it is not strict', async () => {
    const response = await post(createAgentApiSimulator({ strict: false }), { seed: 1 });
    expect(response.status).toBe(200);
  });
});

describe('transport', () => {
  const simulator = createAgentApiSimulator({ apiKey: 'right' });
  const invalidKey = {
    error: {
      message: 'Invalid API key provided. Ensure your API key is correct and active.',
      type: 'invalid_api_key',
      code: 401,
    },
  };

  it.each(['', 'wrong'])('answers 401 to the key "%s"', async (key) => {
    const response = await call(simulator, '/v1/agent', { method: 'POST', body: ok, key });
    expect([response.status, await response.json()]).toEqual([401, invalidKey]);
  });

  it('answers 401 to a blank key and to models without one', async () => {
    const any = createAgentApiSimulator();
    const blank = await any.fetch('https://api.perplexity.ai/v1/models', { headers: { authorization: 'Bearer ' } });
    expect([blank.status, (await call(any, '/v1/models', { key: '' })).status]).toEqual([401, 401]);
    expect((await call(simulator, '/v1/models', { key: 'right' })).status).toBe(200);
  });

  it.each([
    ['not JSON', '{', 'invalid request body: not valid JSON'],
    ['no body', '', 'invalid request body: not valid JSON'],
    ['a list', '[]', 'invalid request body: json: cannot unmarshal array into the request'],
  ])('answers 400 to %s', async (_name, body, message) => {
    const response = await call(simulator, '/v1/agent', { method: 'POST', body, key: 'right' });
    expect(await response.json()).toEqual({ error: { message, type: 'invalid_request', code: 400 } });
  });

  it('answers 413 to more than 32 MiB', async () => {
    const body = JSON.stringify({ ...ok, input: 'a'.repeat(32 * 1024 * 1024) });
    const response = await call(simulator, '/v1/agent', { method: 'POST', body, key: 'right' });
    expect([response.status, await response.json()]).toEqual([
      413,
      { error: { message: 'request body exceeds 32 MiB', type: 'payload_too_large', code: 413 } },
    ]);
  });

  it.each([
    ['POST', '/v2/responses'],
    ['GET', '/v1/agent'],
    ['DELETE', '/v1/agent'],
    ['GET', '/v1/agent/resp_x/cancel'],
  ])('answers 404 to %s %s', async (method, path) => {
    const response = await call(simulator, path, { method, key: 'right' });
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: { message: 'resource not found', type: 'not_found', code: 404 } },
    ]);
  });

  it.each(['/v1/agent', '/v1/responses', '/responses', '/v1/agent/'])('creates at %s', async (path) => {
    const response = await call(simulator, path, { method: 'POST', body: ok, key: 'right' });
    expect(response.status).toBe(200);
  });

  it('sends the recorded headers', async () => {
    const before = Math.floor(Date.now() / 1000);
    const response = await call(simulator, '/v1/agent', { method: 'POST', body: ok, key: 'right' });
    const { id } = (await response.json()) as { id: string };
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(`resp_${response.headers.get('x-request-id')}`).toBe(id);
    expect(['limit', 'remaining', 'used'].map((name) => response.headers.get(`x-ratelimit-${name}`))).toEqual([
      '50',
      '49',
      '1',
    ]);
    expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(before);
    expect(response.headers.has('retry-after')).toBe(false);
  });
});

describe('what is easily let through', () => {
  const create = (body: object) =>
    createAgentApiSimulator().fetch(`${BASE}/v1/agent`, {
      method: 'POST',
      headers: { authorization: 'Bearer key' },
      body: JSON.stringify({ effort: 'fast', input: 'Hi', ...body }),
    });

  it.each([
    [{ tool_choice: { type: 'bogus' } }],
    [{ tool_choice: { type: 'function' } }],
    [
      {
        input: [
          {
            type: 'message',
            role: 'user',
            content: [{ type: 'input_image', image_url: 'https://a.example/b.png', detail: 'huge' }],
          },
        ],
      },
    ],
  ])('is refused: %j', async (body) => {
    expect((await create(body)).status).toBe(400);
  });

  it('an id with a broken escape is malformed', async () => {
    const response = await createAgentApiSimulator().fetch(`${BASE}/v1/agent/%zz`, {
      headers: { authorization: 'Bearer key' },
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { message: 'invalid response id' } },
    ]);
  });

  it('usage is left out where the request says so', async () => {
    const text = await (await create({ stream: true, stream_options: { include_usage: false } })).text();
    expect(text).toContain('response.completed');
    expect(text).not.toContain('total_tokens');
  });
});
