/** What apps hand over: files, results of tools with images, native tools in the SDKs' own form, ids to go on from. */
import * as z from 'zod/v4';
import { all, endOf, user, type Row } from '../world.js';

const prompt = 'What is there?';
const png = 'iVBORw0KGgo=';
const url = 'https://files.example.com/chart.pdf';

export const prompts: Row[] = [
  {
    name: 'files: an image as bytes, one as a URL, a document as a URL',
    async observe({ ai, setUp }) {
      const { model, bodies } = setUp({ scenario: 'plain' });
      const content = [
        { type: 'text', text: prompt },
        { type: 'file', mediaType: 'image/png', data: Uint8Array.from(atob(png), (char) => char.charCodeAt(0)) },
        { type: 'image', image: new URL('https://files.example.com/a.png') },
        { type: 'file', mediaType: 'application/pdf', data: new URL(url) },
      ];
      const { warnings } = await ai.generateText({ model, messages: [{ role: 'user', content }] });
      return [bodies()[0]?.input[0]?.['content'], warnings];
    },
    expected: () => [
      [
        { type: 'input_text', text: prompt },
        { type: 'input_image', image_url: `data:image/png;base64,${png}` },
        { type: 'input_image', image_url: 'https://files.example.com/a.png' },
        { type: 'input_file', filename: 'chart.pdf', file_url: url },
      ],
      [],
    ],
  },
  {
    name: 'files: images in the result of a client tool',
    async observe({ ai, major, setUp }) {
      const { provider, bodies } = setUp({ scenario: 'tool-call' });
      const image = major === 5 ? 'media' : 'image-data';
      const camera = ai.tool({
        inputSchema: z.object({}),
        execute: () => 'seen',
        toModelOutput: () => ({
          type: 'content',
          value: [
            { type: 'text', text: 'The light' },
            { type: major === 7 ? 'file-data' : image, mediaType: 'image/png', data: png },
          ],
        }),
      });
      const call = { model: provider('low'), prompt, tools: { camera }, stopWhen: ai.stepCountIs(2) };
      const { warnings } = await ai.generateText(call);
      return [bodies()[1]?.input.at(-1)?.['output'], warnings];
    },
    expected: () => [
      [
        { type: 'input_text', text: 'The light' },
        { type: 'input_image', image_url: `data:image/png;base64,${png}` },
      ],
      [],
    ],
  },
  ...(['provider-defined', 'provider'] as const).map((type): Row => ({
    name: `native tools in the form of the SDK: type '${type}'`,
    async observe({ ai, setUp }) {
      const { model, bodies } = setUp({ scenario: 'search' });
      const search = {
        type,
        id: 'perplexity.web_search',
        name: 'web_search',
        args: { maxResults: 3 },
        isProviderExecuted: true,
        inputSchema: z.looseObject({}),
        outputSchema: z.looseObject({}),
      };
      const call = ai.generateText({ model, prompt, tools: { search }, stopWhen: ai.stepCountIs(3) });
      const end = await endOf(
        call.then(({ toolCalls, toolResults, steps }) => [
          steps.length,
          toolCalls.map(({ toolName }) => toolName),
          toolResults.map(({ output }) => (output as { results: unknown[] }).results.length),
        ]),
      );
      return [end, bodies()[0]?.['tools']];
    },
    expected: ({ major }) =>
      // The word changed with ai 6; each major refuses the other one itself.
      (type === 'provider') === major > 5
        ? [[1, ['search'], [3]], [{ type: 'web_search', max_results: 3 }]]
        : ['rejected: Error', undefined],
  })),
  {
    name: 'activeTools and toolChoice of one native tool',
    async observe({ ai, setUp }) {
      const { provider, model, bodies } = setUp({ scenario: 'search' });
      const tools = { search: provider.tools.webSearch(), read: provider.tools.fetchUrl() };
      const active = { activeTools: ['search'], experimental_activeTools: ['search'] };
      const { warnings } = await ai.generateText({ model, prompt, tools, ...active });
      const chosen = await endOf(
        ai
          .generateText({ model, prompt, tools, toolChoice: { type: 'tool', toolName: 'search' } })
          .then((result) => [result.toolCalls.map(({ toolName }) => toolName), result.finishReason]),
      );
      return [bodies()[0]?.['tools'], warnings, chosen];
    },
    expected: () => [[{ type: 'web_search' }], [], [['search'], 'stop']],
  },
  {
    name: 'previousResponseId: the API is sent what is new',
    async observe({ ai, setUp }) {
      const { model, bodies } = setUp({ scenario: 'plain' });
      const { response } = await ai.generateText({ model, prompt });
      await ai.generateText({
        model,
        messages: [user(prompt), ...response.messages, user('More?')],
        providerOptions: { perplexity: { previousResponseId: response.id } },
      });
      const [, second] = bodies();
      return [second?.['previous_response_id'] === response.id, second?.input.map(({ content }) => content)];
    },
    expected: () => [true, ['More?']],
  },
  {
    name: 'includeRawChunks: the events of the API',
    async observe({ ai, setUp }) {
      const { model } = setUp({ scenario: { name: 'plain', text: 'Hi.' } });
      const call = { model, prompt, includeRawChunks: true, include: { rawChunks: true } };
      const parts = await all(ai.streamText(call).fullStream);
      const raw = parts.filter(({ type }) => type === 'raw').map(({ rawValue }) => (rawValue as { type: string }).type);
      return [raw[0], raw.at(-1)];
    },
    expected: () => ['response.created', 'response.completed'],
  },
  {
    name: 'headers and user agent of a call',
    async observe({ ai, setUp }) {
      const { model, simulator } = setUp({ scenario: 'plain' });
      await ai.generateText({ model, prompt, headers: { 'X-Trace': 'a' } });
      const result = ai.streamText({ model, prompt, headers: { 'X-Trace': 'b' } });
      await result.consumeStream();
      return simulator.requests.map(({ headers }) => [
        headers['x-trace'],
        /(^| )ai\/\d/.test(headers['user-agent'] ?? ''),
        /ai-sdk-provider-perplexity-agent\/\d/.test(headers['user-agent'] ?? ''),
      ]);
    },
    expected: () => [
      ['a', true, true],
      // streamText says nothing of its own.
      ['b', false, true],
    ],
  },
];
