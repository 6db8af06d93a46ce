import type { PerplexityAgentCost } from 'ai-sdk-provider-perplexity-agent/v4';
import type { UIDataTypes, UIMessage } from 'ai';
import type { Settings } from './settings';
import type { ChatTools } from './tools';

/** What an answer says of itself. */
export type AnswerMetadata = {
  /** Id of its last run. */
  responseId?: string;
  effort?: Settings['effort'];
  /** Of all of its runs. `totalCost(messages)` sums it over the chat. */
  cost?: PerplexityAgentCost;
  tokens?: number;
};

export type ChatMessage = UIMessage<AnswerMetadata, UIDataTypes, ChatTools>;
