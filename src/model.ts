/** The core model: builds the request, sends it, maps what comes back. The only file that knows both ends. */
import { runError } from './errors.js';
import type { ParsedOptions } from './options.js';
import { presentableBody } from './redact.js';
import { buildRequest } from './request/build-request.js';
import { buildResume } from './request/build-resume.js';
import { supportedUrls } from './request/supported-urls.js';
import type { ReadLimits } from './runs/body.js';
import { createFollower, type FollowOptions } from './runs/follow.js';
import { createPartStream } from './runs/part-stream.js';
import { lateAnswer, patienceOf } from './runs/patience.js';
import { createRun, type Run } from './runs/run.js';
import { createReplySource, type SourceHandlers } from './runs/source.js';
import { takeUp } from './runs/take-up.js';
import { untilLate } from './runs/timers.js';
import type { CoreCallOptions, CoreContent, CoreFinish, CorePart, CoreWarning, FaceTraits } from './spec.js';
import { withArrived } from './stream/arrived.js';
import { createMapper } from './stream/create-mapper.js';
import type { Attachment, MapperContext } from './stream/event-mapper.js';
import { fold } from './stream/fold.js';
import { bareJsonText } from './stream/structured-text.js';
import { throwIfAborted } from './wire/abort.js';
import type { Reply, Transport } from './wire/transport.js';

export type AgentModelConfig = {
  traits: FaceTraits;
  transport: Transport;
  generateId(): string;
  /** Wire field of the effort level. */
  effortField: 'effort' | 'preset';
  coalesceDeltas: boolean;
  maxEventBytes: number;
};

/** What was sent, and where to. Only V4 has a place for the URL; to the others it is a field that they do not read. */
export type SentRequest = { url: string; body: unknown };

export type GenerateResult = {
  content: CoreContent[];
  finish: CoreFinish;
  warnings: CoreWarning[];
  request: SentRequest;
  response: { id?: string; modelId?: string; timestamp?: Date; headers: Record<string, string>; body: unknown };
};

export type StreamResult<Part> = {
  stream: ReadableStream<Part>;
  request: SentRequest;
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
   * Resolves when the run has begun to answer, or, where it can be taken up again, when its id is known; a failure before
   * that is thrown, a later one is an `error` part. `toPart` turns each core part into the face's own, or into nothing.
   */
  stream<Part>(options: CoreCallOptions, toPart: (part: CorePart) => Part | undefined): Promise<StreamResult<Part>>;
};

type Mode = 'generate' | 'stream';

/** A run that has begun, or was taken up, and what it is read with. */
type Started = { run: Run; reply: Reply; warnings: CoreWarning[] };

/** A model whose calls begin runs. */
export const createAgentModel = (modelId: string, config: AgentModelConfig): AgentModel =>
  modelOf(modelId, (options, mode) => startRun(modelId, config, options, mode));

/** A model whose calls take up a run that exists. */
export const createResumedModel = (
  responseId: string,
  startingAfter: number | undefined,
  config: AgentModelConfig,
): AgentModel =>
  modelOf(responseId, (options, mode) => resumeRun({ responseId, startingAfter }, config, options, mode));

function modelOf(modelId: string, start: (options: CoreCallOptions, mode: Mode) => Promise<Started>): AgentModel {
  return {
    modelId,
    supportedUrls,

    async generate(options) {
      const { run, reply, warnings } = await start(options, 'generate');
      const parts: CorePart[] = [];
      run.sendTo((part) => parts.push(part));
      while (!run.hasEnded()) await run.read();
      const { content, finish, error, response: facts } = fold(parts, isStructured(options));
      if (error !== undefined || finish === undefined) throw withArrived(error, { content, finish });
      const response = run.response();
      return {
        content: isStructured(options) ? bareJsonText(content) : content,
        finish,
        warnings,
        request: sentRequest(reply),
        response: {
          headers: reply.headers,
          body: reply.request.redact(response && presentableBody(response)),
          ...facts,
        },
      };
    },

    async stream(options, toPart) {
      const { run, reply, warnings } = await start(options, 'stream');
      const head: CorePart[] = [{ type: 'stream-start', warnings }];
      run.sendTo((part) => head.push(part));
      while (!run.hasBegun() && !run.hasEnded()) await run.read();
      if (run.hasFailedAtOnce()) {
        const folded = fold(head);
        throw withArrived(folded.error, folded);
      }
      return {
        stream: createPartStream(run, head, toPart),
        request: sentRequest(reply),
        response: { headers: reply.headers },
      };
    },
  };
}

const sentRequest = ({ request: { url, body } }: Reply): SentRequest => ({ url, body });

const isStructured = ({ responseFormat }: CoreCallOptions) => responseFormat?.type === 'json';

/** Sends the request; resolves with the run that answers it. */
async function startRun(
  modelId: string,
  config: AgentModelConfig,
  options: CoreCallOptions,
  mode: Mode,
): Promise<Started> {
  const { transport } = config;
  const { abortSignal, headers } = options;
  throwIfAborted(abortSignal);
  const built = buildRequest({
    modelId,
    callOptions: options,
    effortField: config.effortField,
  });
  const { body, perplexity, warnings, secrets } = built;
  const isBackground = body.background === true;
  const begun = Date.now();
  const patience = patienceOf(perplexity);
  // A long run streams inside even for generate: Node gives up on a reply that takes minutes to begin (design
  // decision 16). One in the background is polled.
  const isStream = mode === 'stream' || (built.isLongRun && !isBackground);
  if (!isStream && perplexity.idleTimeout !== undefined) {
    const message = 'providerOptions.perplexity.idleTimeout has no effect on a call that reads no stream.';
    warnings.push({ type: 'other', message });
  }
  const onAbandon = (responseId: string | undefined) => {
    if (perplexity.cancelOnAbort && responseId !== undefined) void transport.tryCancel(responseId, headers);
  };
  const create = (signal: AbortSignal | undefined) =>
    transport.create({
      body: isStream ? Object.assign(body, { stream: true }) : body,
      headers,
      secrets,
      abortSignal: signal,
      // The reply to any other call comes when its run is over.
      onLateRun: (isStream || isBackground) && perplexity.cancelOnAbort ? onAbandon : undefined,
    });
  const { timeout } = patience;
  const reply = await (isBackground
    ? untilLate(create, abortSignal, timeout, lateAnswer(timeout))
    : create(abortSignal));
  const detached = {
    read: isStream ? ('stream' as const) : ('poll' as const),
    startingAfter: undefined,
    isReplay: false,
    replaysUntil: undefined,
    deadline: begun + patience.timeout,
    attachment: { responseId: undefined, startsLate: false, isRestarted: false, isAnnounced: mode === 'stream' },
    ...patience,
  };
  return assemble(
    { config, options, mode, reply, warnings, secrets, perplexity, onAbandon },
    {
      tools: built.tools,
      requestedModel: built.targetKey,
      effort: body.effort ?? body.preset,
      isChained: body.previous_response_id !== undefined,
    },
    isBackground ? detached : undefined,
  );
}

/** Takes up a run that exists; resolves with it. */
async function resumeRun(
  { responseId, startingAfter }: { responseId: string; startingAfter: number | undefined },
  config: AgentModelConfig,
  options: CoreCallOptions,
  mode: Mode,
): Promise<Started> {
  const { transport } = config;
  const { abortSignal, headers } = options;
  throwIfAborted(abortSignal);
  const begun = Date.now();
  const { perplexity, tools, warnings, secrets } = buildResume(options);
  const patience = patienceOf(perplexity);
  const onAbandon = () => {
    if (perplexity.cancelOnAbort) void transport.tryCancel(responseId, headers);
  };
  // What came after a number only the events can tell.
  const wanted = mode === 'stream' || startingAfter !== undefined ? 'stream' : 'poll';
  const call = { responseId, startingAfter, headers, secrets };
  const {
    reply,
    mode: read,
    isReplay,
  } = await untilLate(
    (signal) => takeUp(transport, { abortSignal: signal, ...call }, wanted),
    abortSignal,
    patience.timeout,
    lateAnswer(patience.timeout),
  ).catch((error: unknown) => {
    if (abortSignal?.aborted === true) onAbandon();
    throw error;
  });
  const isRestarted = startingAfter !== undefined && read === 'poll';
  if (isRestarted) {
    const message = `What came after event ${startingAfter} cannot be had any more: this is the whole answer, from its beginning.`;
    warnings.push({ type: 'other', message });
  }
  const startsLate = read === 'stream' && !isReplay;
  return assemble(
    { config, options, mode, reply, warnings, secrets, perplexity, onAbandon },
    { tools, requestedModel: undefined, effort: undefined, isChained: undefined },
    {
      read,
      startingAfter: startsLate ? startingAfter : undefined,
      isReplay,
      replaysUntil: isReplay ? startingAfter : undefined,
      deadline: begun + patience.timeout,
      attachment: { responseId, startsLate, isRestarted, isAnnounced: mode === 'stream' },
      ...patience,
    },
  );
}

/** How to go on with a run that outlives its connection. */
type Detached = Omit<FollowOptions, keyof ReadLimits | 'reply' | 'attach' | 'retrieve'> & { attachment: Attachment };

/** Puts together what reads a run. `detached`: it outlives its connection, and how to go on with it. */
function assemble(
  given: {
    config: AgentModelConfig;
    options: CoreCallOptions;
    mode: Mode;
    reply: Reply;
    warnings: CoreWarning[];
    secrets: readonly string[];
    perplexity: ParsedOptions;
    /** So that billing stops; nobody waits for the run any more (design decision 15). */
    onAbandon(responseId: string | undefined): void;
  },
  facts: Pick<MapperContext, 'tools' | 'requestedModel' | 'effort' | 'isChained'>,
  detached: Detached | undefined,
): Started {
  const { config, options, mode, reply, warnings, secrets, perplexity } = given;
  const { traits, transport, maxEventBytes } = config;
  const { headers } = options;
  const context: MapperContext = {
    // A choice of `none` means no tool part at all may come out (`sdk-matrix.md` §6, rule 25).
    traits: options.toolChoice?.type === 'none' ? { ...traits, undeclaredTools: false } : traits,
    attachment: detached?.attachment,
    isStructured: isStructured(options),
    showProgress: perplexity.researchProgress !== 'off',
    generateId: config.generateId,
    redact: reply.request.redact,
    createError: (failure) =>
      runError(reply.request, reply, {
        outlivesConnection: detached !== undefined,
        isResumed: detached?.attachment.responseId !== undefined,
        ...failure,
      }),
    ...facts,
  };
  const reading = {
    replaysUntil: detached?.replaysUntil,
    isJsonStream: mode === 'stream' && isStructured(options),
  };
  const includeRawChunks = mode === 'stream' && options.includeRawChunks === true;
  const limits = { maxEventBytes, idleTimeout: perplexity.idleTimeout, showsEvents: includeRawChunks };
  const createSource = (handlers: SourceHandlers) =>
    detached === undefined
      ? createReplySource(reply, handlers, limits)
      : createFollower(
          {
            reply,
            attach: (run) => transport.attach({ headers, secrets, ...run }),
            retrieve: (run) => transport.retrieve({ headers, secrets, ...run }),
            ...limits,
            ...detached,
          },
          handlers,
        );
  const run = createRun({
    reply,
    createMapper: (emit) => createMapper(context, reading, emit),
    createSource,
    isAttached: detached !== undefined,
    includeRawChunks,
    coalesceDeltas: mode === 'stream' && config.coalesceDeltas,
    abortSignal: options.abortSignal,
    onAbandon: given.onAbandon,
  });
  return { run, reply, warnings };
}
