/** An adapter within a process that measures it. */
import { pathToFileURL } from 'node:url';
import { adapterOf } from './adapters.mjs';
import { at } from './places.mjs';
import { textOfPart } from './reading.mjs';

const OFFLINE = 'http://127.0.0.1:9';

/** Loads an adapter: nothing of it has been imported before. */
export async function load(id) {
  const { module, settings, wire } = adapterOf(id);
  const { createModel, textOf = textOfPart } = await import(pathToFileURL(at(module)).href);
  return {
    wire,
    textOf,
    modelOf: (fetch, baseURL = OFFLINE) => createModel({ apiKey: 'no-key', baseURL, fetch, ...settings }),
  };
}

const QUESTION = 'When do harbour pilots read the tide tables?';

/** Options of a call; `input` is the prompt for who takes none. */
export const callOptions = (options) => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }],
  input: QUESTION,
  headers: {},
  providerOptions: {},
  includeRawChunks: false,
  ...options,
});
