/** The V4 face: the core speaks its dialect, so only usage and warnings change their shape. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from 'ai-sdk-provider-v4';
import type { AgentModel } from '../model.js';
import type { CoreCallOptions, CoreContent, CorePart, FaceTraits } from '../spec.js';
import { toCoreOptions, toUsage, toWarning } from './v3-v4.js';

const traits: FaceTraits = { undeclaredTools: true, customParts: true };

/** Puts a core model into the V4 shape. */
function toLanguageModelV4(model: AgentModel, provider: string): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,

    async doGenerate(given) {
      const options = toCoreOptions(given);
      const { content, finish, warnings, request, response } = await model.generate(options);
      return {
        content,
        ...structuredOutputOf(options, content),
        finishReason: finish.finishReason,
        usage: toUsage(finish.usage),
        providerMetadata: finish.providerMetadata,
        warnings: warnings.map(toWarning),
        request,
        response,
      };
    },

    doStream: (options) => model.stream(toCoreOptions(options), toV4Part),
  };
}

function toV4Part(part: CorePart): LanguageModelV4StreamPart {
  switch (part.type) {
    case 'stream-start':
      return { type: 'stream-start', warnings: part.warnings.map(toWarning) };
    case 'finish':
      return { ...part, usage: toUsage(part.usage) };
    default:
      return part;
  }
}

/**
 * The text to parse, so that it stays what it is when middleware adds words. The content holds the same text and no
 * drafts beside it, since the first releases of ai 7 join all texts.
 */
function structuredOutputOf({ responseFormat }: CoreCallOptions, content: CoreContent[]) {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return responseFormat?.type === 'json' && texts.length > 0 ? { structuredOutputText: texts.join('') } : {};
}

/** The face of `./v4`. */
export const faceV4 = { traits, toModel: toLanguageModelV4 };
