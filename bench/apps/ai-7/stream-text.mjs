export { streamText } from 'ai';
