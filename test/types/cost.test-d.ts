import { totalCost, type PerplexityAgentCost } from 'ai-sdk-provider-perplexity-agent';
import type {
  APICallError,
  GenerateObjectResult,
  GenerateTextResult,
  RetryError,
  StepResult,
  StreamTextResult,
  ToolSet,
  UIMessage,
} from 'ai';
import { describe, expectTypeOf, it } from 'vitest';

describe('totalCost', () => {
  it('takes what the AI SDK gives', () => {
    const take = (
      steps: Array<StepResult<ToolSet>>,
      result: GenerateTextResult<ToolSet, string>,
      object: GenerateObjectResult<{ a: string }>,
      chat: UIMessage[],
      typedChat: Array<UIMessage<{ cost?: PerplexityAgentCost }>>,
      error: APICallError,
      retried: RetryError,
    ) => [
      totalCost(steps),
      totalCost(result),
      totalCost([result]),
      totalCost(object),
      totalCost(chat),
      totalCost(typedChat),
      totalCost(error),
      totalCost([result, error, retried]),
    ];
    expectTypeOf(take).returns.toEqualTypeOf<PerplexityAgentCost[]>();
  });

  it('does not take what has not come yet, or is something else', () => {
    // @ts-expect-error its steps have to be awaited
    const early = (stream: StreamTextResult<ToolSet, string>) => totalCost(stream);
    // @ts-expect-error a text costs nothing
    const text = () => totalCost('text');
    expectTypeOf([early, text]).toBeArray();
  });
});
