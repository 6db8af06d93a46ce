/** Reads the stream of one answer to its end. */
import type { streamText, FinishReason, LanguageModelUsage, CallWarning } from 'ai';
import {
  splitCitations,
  type PerplexityAgentCost,
  type PerplexityAgentMetadata,
} from 'ai-sdk-provider-perplexity-agent';

export type Source = {
  /** Every number by which the answer may cite it. */
  resultIds: string[];
  /** Whether the answer does. */
  cited: boolean;
  title?: string;
  url: string;
};

export type Answer = {
  text: string;
  /** Those that the answer cites come first. */
  sources: Source[];
  /** Result id → URL. */
  citations: Record<string, string>;
  /** Undefined where the run ended before it could say. */
  usage?: LanguageModelUsage;
  cost?: PerplexityAgentCost;
  model: { requested?: string; effort?: string; served?: string };
  finishReason?: FinishReason;
  responseId?: string;
  warnings: CallWarning[];
  error?: unknown;
  aborted: boolean;
};

type Stream = ReturnType<typeof streamText>['fullStream'];

type Part = Stream extends AsyncIterable<infer Part> ? Part : never;

/** A page, with the numbers that it had when it came. */
export type SourcePart = Extract<Part, { type: 'source'; sourceType: 'url' }>;

/** Told of what comes, as it comes. */
type Listener = {
  onText?: (text: string) => void;
  onProgress?: (text: string) => void;
  onSource?: (part: SourcePart) => void;
};

/** What had come when a run failed or was stopped is in the answer too. */
export async function collect(stream: Stream, { onText, onProgress, onSource }: Listener): Promise<Answer> {
  const answer: Answer = { text: '', sources: [], citations: {}, model: {}, warnings: [], aborted: false };
  for await (const part of stream) {
    switch (part.type) {
      case 'start-step':
        answer.warnings.push(...part.warnings);
        break;
      case 'reasoning-delta':
        onProgress?.(part.text);
        break;
      case 'reasoning-end':
        onProgress?.('\n\n');
        break;
      case 'text-delta':
        answer.text += part.text;
        onText?.(part.text);
        break;
      case 'source':
        if (part.sourceType !== 'url') break;
        answer.sources.push(sourceOf(part));
        onSource?.(part);
        break;
      case 'finish-step':
        Object.assign(answer, endOf(part));
        break;
      case 'error':
        answer.error ??= part.error;
        break;
      case 'abort':
        answer.aborted = true;
        break;
    }
  }
  answer.sources = marked(answer);
  return answer;
}

function sourceOf({ url, title }: SourcePart): Source {
  return { resultIds: [], cited: false, ...(title !== undefined && { title }), url };
}

function endOf(part: Extract<Part, { type: 'finish-step' }>) {
  const metadata = part.providerMetadata?.perplexity as PerplexityAgentMetadata | undefined;
  const { requestedModel, servedModel, effort, citations = {}, cost, responseId } = metadata ?? {};
  return {
    usage: part.usage,
    finishReason: part.finishReason,
    citations,
    model: {
      ...(requestedModel !== undefined && { requested: requestedModel }),
      ...(effort !== undefined && effort !== requestedModel && { effort }),
      ...(servedModel !== undefined && { served: servedModel }),
    },
    ...(cost !== undefined && { cost }),
    ...(responseId !== undefined && { responseId }),
  };
}

/** Gives each source its numbers, and puts those first that the text names as `[7]` or `[web:7]`. */
function marked({ text, sources, citations }: Answer): Source[] {
  const segments = splitCitations(text, sources, citations);
  const named = new Set(segments.map((segment) => (segment.type === 'citation' ? segment.source?.url : undefined)));
  const numbered = sources.map((source) => ({
    ...source,
    resultIds: Object.keys(citations).filter((id) => citations[id] === source.url),
    cited: named.has(source.url),
  }));
  return [...numbered.filter(({ cited }) => cited), ...numbered.filter(({ cited }) => !cited)];
}
