/** The core model: builds the request, sends it, maps what comes back. The only file that knows both ends. */
import { runError, withRunData, type PerplexityAgentErrorData } from './errors.js';
import { defined } from './json.js';
import { buildRequest } from './request/build-request.js';
import { supportedUrls } from './request/supported-urls.js';
import { createRun, type Run } from './runs/foreground.js';
import { presentableBody } from './redact.js';
import type { CoreCallOptions, CoreContent, CoreFinish, CorePart, CoreWarning } from './spec.js';
import { createEventMapper, type EventMapper } from './stream/event-mapper.js';
import { fold, type Folded } from './stream/fold.js';
import { bareJsonText, createJsonFilter } from './stream/structured-text.js';
import { untilAborted } from './wire/abort.js';
import type { Reply, Transport } from './wire/transport.js';

export type AgentModelConfig = {
  transport: Transport;
  generateId(): string;
  /** Wire field of the effort level. */
  effortField: 'effort' | 'preset';
  coalesceDeltas: boolean;
  maxEventBytes: number;
};

export type GenerateResult = {
  content: CoreContent[];
  finish: CoreFinish;
  warnings: CoreWarning[];
  request: { body: unknown };
  response: { id?: string; modelId?: string; timestamp?: Date; headers: Record<string, string>; body: unknown };
};

export type StreamResult<Part> = {
  stream: ReadableStream<Part>;
  request: { body: unknown };
  response: { headers: Record<string, string> };
};

/** A model in the core dialect; the faces put it into the shape of their specification. */
export type AgentModel = {
  readonly modelId: string;
  /** URLs that the API reads itself, by media type. */
  readonly supportedUrls: Record<string, RegExp[]>;
  /** Throws APICallError with what had arrived in its `data`, an input error, or the abort reason. */
  generate(options: CoreCallOptions): Promise<GenerateResult>;
  /**
   * Resolves when the run has begun to answer; a failure before that is thrown, a later one is an `error` part.
   * `toPart` turns each core part into the face's own, or into nothing.
   */
  stream<Part>(options: CoreCallOptions, toPart: (part: CorePart) => Part | undefined): Promise<StreamResult<Part>>;
};

export function createAgentModel(modelId: string, config: AgentModelConfig): AgentModel {
  return {
    modelId,
    supportedUrls,

    async generate(options) {
      const { run, reply, mapper, warnings } = await startRun(modelId, config, options, 'generate');
      const parts: CorePart[] = [];
      while (!run.ended) await run.read((part) => parts.push(part));
      const { content, finish, error, response } = fold(parts, isStructured(options));
      if (error !== undefined || finish === undefined) throw withArrived(error, { content, finish });
      return {
        content: isStructured(options) ? bareJsonText(content) : content,
        finish,
        warnings,
        request: { body: reply.request.body },
        response: {
          ...response,
          headers: reply.headers,
          body: reply.request.redact(mapper.response && presentableBody(mapper.response)),
        },
      };
    },

    async stream(options, toPart) {
      const { run, reply, warnings } = await startRun(modelId, config, options, 'stream');
      const head: CorePart[] = [{ type: 'stream-start', warnings }];
      while (!run.begun && !run.ended) await run.read((part) => head.push(part));
      if (run.failedAtOnce) {
        const folded = fold(head);
        throw withArrived(folded.error, folded);
      }
      return {
        stream: createPartStream(run, head, toPart),
        request: { body: reply.request.body },
        response: { headers: reply.headers },
      };
    },
  };
}

const isStructured = ({ responseFormat }: CoreCallOptions) => responseFormat?.type === 'json';

/** Sends the request; resolves with the run that answers it. */
async function startRun(
  modelId: string,
  config: AgentModelConfig,
  options: CoreCallOptions,
  mode: 'generate' | 'stream',
): Promise<{ run: Run; reply: Reply; mapper: EventMapper; warnings: CoreWarning[] }> {
  const { transport } = config;
  const { abortSignal, headers } = options;
  abortSignal?.throwIfAborted();
  const built = buildRequest({ modelId, callOptions: options, effortField: config.effortField });
  const { body, perplexity, warnings } = built;
  if (mode === 'generate' && !built.isLongRun && perplexity.idleTimeout !== undefined) {
    const message = 'providerOptions.perplexity.idleTimeout has no effect on a plain model that does not stream.';
    warnings.push({ type: 'other', message });
  }
  // A long run streams inside even for generate: Node gives up on a reply that takes minutes to begin (design
  // decision 16).
  const isStream = mode === 'stream' || built.isLongRun;
  const reply = await untilAborted(
    transport.create({
      body: isStream ? { ...body, stream: true } : body,
      headers,
      secrets: built.secrets,
      abortSignal,
    }),
    abortSignal,
    (late) => void (late.kind === 'events' && late.body.cancel().catch(() => undefined)),
  );
  const mapper = createEventMapper({
    tools: built.tools,
    requestedModel: built.targetKey,
    effort: body.effort ?? body.preset,
    isChained: body.previous_response_id !== undefined,
    isStructured: isStructured(options),
    showProgress: perplexity.researchProgress !== 'off',
    generateId: config.generateId,
    redact: reply.request.redact,
    createError: (failure) => runError(reply.request, reply, failure),
  });
  const run = createRun({
    reply,
    mapper,
    maxEventBytes: config.maxEventBytes,
    includeRawChunks: mode === 'stream' && options.includeRawChunks === true,
    coalesceDeltas: mode === 'stream' && config.coalesceDeltas,
    filter: mode === 'stream' && isStructured(options) ? createJsonFilter() : undefined,
    idleTimeout: perplexity.idleTimeout,
    abortSignal,
    onAbandon(responseId) {
      // So that billing stops; nobody waits for it (design decision 15).
      if (perplexity.cancelOnAbort && responseId !== undefined) void transport.cancel(responseId, headers);
    },
  });
  return { run, reply, mapper, warnings };
}

/** One pull-based stream: parts go out in the turn in which their bytes came in. */
function createPartStream<Part>(
  run: Run,
  head: readonly CorePart[],
  toPart: (part: CorePart) => Part | undefined,
): ReadableStream<Part> {
  return new ReadableStream<Part>(
    {
      start(controller) {
        const deliver = deliverTo(controller, toPart);
        head.forEach(deliver);
        if (run.ended) controller.close();
        else run.onAbort((reason) => controller.error(reason));
      },
      pull(controller) {
        return run.read(deliverTo(controller, toPart)).then(() => (run.ended ? controller.close() : undefined));
      },
      cancel() {
        run.abandon();
      },
    },
    { highWaterMark: 0 },
  );
}

const deliverTo =
  <Part>(controller: ReadableStreamDefaultController<Part>, toPart: (part: CorePart) => Part | undefined) =>
  (corePart: CorePart): void => {
    const part = toPart(corePart);
    if (part !== undefined) controller.enqueue(part);
  };

/** Nothing is lost: the error keeps the text, sources, usage and cost that had arrived (design decision 11). */
function withArrived(error: Error | undefined, { content, finish }: Pick<Folded, 'content' | 'finish'>): Error {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const sources = content.flatMap((part) =>
    part.type === 'source'
      ? [{ id: part.id, url: part.url, ...(part.title !== undefined && { title: part.title }) }]
      : [],
  );
  const metadata = finish?.providerMetadata.perplexity as PerplexityAgentErrorData | undefined;
  return withRunData(
    error ?? new Error('The run ended without a result.'),
    defined<PerplexityAgentErrorData>({
      text: text === '' ? undefined : text,
      sources: sources.length === 0 ? undefined : sources,
      usage: metadata?.usage,
      cost: metadata?.cost,
    }),
  );
}
