import type { JSONObject } from '@ai-sdk/provider';

import { asObject } from '../json.js';
import { boolean, integer, isDomain, listOf, oneOf, strict, textSuchAs } from './checks.js';
import { type FieldsOf, lazySchema } from './schemas.js';
import { listField, listOfFields, type ServerTool, serverTool, wireNames } from './server-tool.js';

/** How images are searched (`agent-api.md` §3, §3.2); all are optional. */
export type ImageSearchArgs = {
  /** Images per search, 1–30. The API's default is 5. */
  maxResults?: number | undefined;
  /** Which images count. */
  filters?: ImageSearchFilters | undefined;
};

/** Filters of an image search. */
export type ImageSearchFilters = {
  /** Up to 10 domains of at most 253 characters, without a scheme: `'example.org'`. */
  domainFilter?: string[] | undefined;
  /** Up to 10 formats. Default: any. */
  formatFilter?: Array<'bmp' | 'gif' | 'jpeg' | 'png' | 'webp' | 'svg'> | undefined;
  /** Leaves out what is not fit for everybody. The API's default is true. */
  safeSearch?: boolean | undefined;
};

/** What the model looks for. */
export type ImageSearchInput = { queries?: string[] };

/** Which images were found. They are no sources of the answer: show them from here. */
export type ImageSearchOutput = {
  queries?: string[];
  results: Array<{
    /** Address of the image itself. */
    imageUrl?: string;
    /** Address of the page that shows it. */
    originUrl?: string;
    /** Pixels. */
    width?: number;
    /** Pixels. */
    height?: number;
    title?: string;
  }>;
};

const DOMAIN = "a domain without scheme such as 'example.org', of at most 253 characters";

/** Args as a user wrote them. */
export const checkImageSearchArgs = strict<ImageSearchArgs>({
  maxResults: integer(1, 30),
  filters: strict<ImageSearchFilters>({
    domainFilter: listOf(textSuchAs(DOMAIN, isDomain), 10, 'domains'),
    formatFilter: listOf(oneOf(['bmp', 'gif', 'jpeg', 'png', 'webp', 'svg']), 10, 'formats'),
    safeSearch: boolean,
  }),
});

/** The tool as it is sent. */
export function wireImageSearch(args: ImageSearchArgs): { type: 'image_search' } & JSONObject {
  return { type: 'image_search', ...wireNames(args) };
}

const IMAGE_FIELDS: FieldsOf<ImageSearchOutput['results'][number]> = {
  imageUrl: 'string',
  originUrl: 'string',
  width: 'number',
  height: 'number',
  title: 'string',
};

const inputSchema = lazySchema<ImageSearchInput>({ queries: 'strings' });
const outputSchema = lazySchema<ImageSearchOutput>({ queries: 'strings', results: IMAGE_FIELDS });

/**
 * Perplexity's image search as a tool: its calls and results show up as provider-executed parts under the key that it
 * has in `tools`. $0.0025 per successful call (2026-10, §3); a search that fails gives a result with `isError`. Throws
 * InvalidArgumentError for args out of their limits.
 */
export function imageSearch(args: ImageSearchArgs = {}): ServerTool<ImageSearchInput, ImageSearchOutput> {
  return serverTool({
    id: 'perplexity.image_search',
    args: checkImageSearchArgs(args, 'tools.imageSearch'),
    description: 'Searches for images. Runs on the servers of Perplexity.',
    inputSchema: inputSchema(),
    outputSchema: outputSchema(),
  });
}

/** An `image_search_results` item of the wire in the tool's output type; null or malformed fields are skipped. */
export function imageSearchResult(item: unknown): ImageSearchOutput {
  const fields = asObject(item) ?? {};
  return { ...listField(fields, 'queries'), results: listOfFields(fields['results'], IMAGE_FIELDS) };
}
