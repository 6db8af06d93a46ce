/** The V3 face: core parts, finish, usage and warnings in the shape of ai 6, which ai 7 takes as well. */
import type {
  LanguageModelV3,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
} from 'ai-sdk-provider-v3';
import type { AgentModel } from '../model.js';
import type { CoreContent, CoreFinishReason, CorePart, FaceTraits } from '../spec.js';
import { toCoreOptions, toUsage, toWarning } from './v3-v4.js';

const traits: FaceTraits = { undeclaredTools: true, customParts: false };

/** Puts a core model into the V3 shape. */
function toLanguageModelV3(model: AgentModel, provider: string): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,

    async doGenerate(options) {
      const { content, finish, warnings, request, response } = await model.generate(toCoreOptions(options));
      return {
        content: content.flatMap(toV3Content),
        finishReason: toV3FinishReason(finish.finishReason),
        usage: toUsage(finish.usage),
        providerMetadata: finish.providerMetadata,
        warnings: warnings.map(toWarning),
        request,
        response,
      };
    },

    doStream: (options) => model.stream(toCoreOptions(options), toV3Part),
  };
}

function toV3Part(part: CorePart): LanguageModelV3StreamPart | undefined {
  switch (part.type) {
    case 'stream-start':
      return { type: 'stream-start', warnings: part.warnings.map(toWarning) };
    case 'custom':
      return undefined;
    case 'finish':
      return { ...part, finishReason: toV3FinishReason(part.finishReason), usage: toUsage(part.usage) };
    default:
      return part;
  }
}

const toV3Content = (content: CoreContent): LanguageModelV3Content[] => (content.type === 'custom' ? [] : [content]);

const toV3FinishReason = ({ unified, raw }: CoreFinishReason): LanguageModelV3FinishReason => ({
  unified: unified === 'interrupted' ? 'error' : unified,
  raw,
});

/** The face of `./v3`. */
export const faceV3 = { traits, toModel: toLanguageModelV3 };
