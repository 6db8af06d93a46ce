/** The V2 face: core parts, finish, usage and warnings in the shape that ai 5, 6 and 7 all take. */
import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2CallWarning,
  LanguageModelV2Content,
  LanguageModelV2FinishReason,
  LanguageModelV2StreamPart,
  LanguageModelV2Usage,
} from '@ai-sdk/provider';
import type { AgentModel } from '../model.js';
import type {
  CoreCallOptions,
  CoreContent,
  CoreFinishReason,
  CorePart,
  CoreUsage,
  CoreWarning,
  FaceTraits,
} from '../spec.js';

/** ai 5 breaks on calls of tools that nobody declared and on parts that it does not know (`sdk-matrix.md` §0). */
const traits: FaceTraits = { undeclaredTools: false, customParts: false };

/** Puts a core model into the V2 shape. */
function toLanguageModelV2(model: AgentModel, provider: string): LanguageModelV2 {
  return {
    specificationVersion: 'v2',
    provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,

    async doGenerate(options) {
      const { content, finish, warnings, request, response } = await model.generate(toCoreOptions(options));
      return {
        content: content.flatMap(toV2Content),
        finishReason: toV2FinishReason(finish.finishReason),
        usage: toV2Usage(finish.usage),
        providerMetadata: finish.providerMetadata,
        warnings: warnings.map(toV2Warning),
        request,
        response,
      };
    },

    doStream: (options) => model.stream(toCoreOptions(options), toV2Part),
  };
}

// The core reads every part and output by its `type`, also those of later specifications, so V2 options are core options.
const toCoreOptions = (options: LanguageModelV2CallOptions) => options as unknown as CoreCallOptions;

function toV2Part(part: CorePart): LanguageModelV2StreamPart | undefined {
  switch (part.type) {
    case 'stream-start':
      return { type: 'stream-start', warnings: part.warnings.map(toV2Warning) };
    case 'tool-result':
      // ai 5 copies the flag, so it has to be on the result as well as on the call (sdk-matrix §6, rule 11).
      return { providerExecuted: true, ...part };
    case 'finish':
      return {
        type: 'finish',
        finishReason: toV2FinishReason(part.finishReason),
        usage: toV2Usage(part.usage),
        providerMetadata: part.providerMetadata,
      };
    case 'custom':
      return undefined;
    default:
      return part;
  }
}

function toV2Content(content: CoreContent): LanguageModelV2Content[] {
  if (content.type === 'custom') return [];
  return [content.type === 'tool-result' ? { providerExecuted: true, ...content } : content];
}

const toV2FinishReason = ({ unified }: CoreFinishReason): LanguageModelV2FinishReason =>
  unified === 'interrupted' ? 'error' : unified;

const toV2Usage = ({ inputTokens, outputTokens, totalTokens }: CoreUsage): LanguageModelV2Usage => ({
  inputTokens: inputTokens.total,
  outputTokens: outputTokens.total,
  totalTokens: totalTokens ?? sum(inputTokens.total, outputTokens.total),
  reasoningTokens: outputTokens.reasoning,
  cachedInputTokens: inputTokens.cacheRead,
});

const sum = (a: number | undefined, b: number | undefined) => (a === undefined || b === undefined ? undefined : a + b);

function toV2Warning(warning: CoreWarning): LanguageModelV2CallWarning {
  switch (warning.type) {
    case 'setting': {
      const { details } = warning;
      // The type lists the call options of V2; a provider option or one of ai 7 is a setting all the same.
      const setting = warning.setting as 'topK';
      return { type: 'unsupported-setting', setting, ...(details !== undefined && { details }) };
    }
    case 'tool': {
      const { tool, details } = warning;
      return {
        type: 'unsupported-tool',
        tool: { type: 'function', name: tool, inputSchema: {} },
        ...(details !== undefined && { details }),
      };
    }
    case 'other':
      return warning;
  }
}

/** The face at the root of the package. */
export const faceV2 = { traits, toModel: toLanguageModelV2 };
