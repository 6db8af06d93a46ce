/**
 * Which URLs the API reads itself, so that the AI SDK does not download them first. Images and documents may be https
 * URLs (`agent-api.md` §2.2). Audio and video are refused anyway: listing them spares the download of a file that
 * will never be sent. A `http:` image or document is not listed, so the SDK fetches it and hands over its bytes.
 */
export const supportedUrls: Record<string, RegExp[]> = {
  '*/*': [/^https:\/\/.+$/],
  'audio/*': [/^https?:\/\/.+$/],
  'video/*': [/^https?:\/\/.+$/],
};
