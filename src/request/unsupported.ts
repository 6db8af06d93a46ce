import { UnsupportedFunctionalityError } from '@ai-sdk/provider';

/** For what the Agent API cannot do: it is refused before anything is sent. */
export const unsupported = (functionality: string, message: string) =>
  new UnsupportedFunctionalityError({ functionality, message });
