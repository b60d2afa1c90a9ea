/**
 * Tokens of transcript per call. Llama 3.3 70B takes 24,000 in and out together; the prompt with the transcript before,
 * the answer and the repaired answer take the rest.
 */
export const STEP_WINDOW_MAX_TOKENS = 8_000

/** English text in the tokenizers of Llama and GPT. */
const CHARS_PER_TOKEN = 4

/** An estimate that is rather too high: other scripts than Latin take about a token per character. */
export function estimateTokens(text: string): number {
  const beyondAscii = text.replace(/[\u0020-\u007e]/g, '').length
  return Math.ceil((text.length - beyondAscii) / CHARS_PER_TOKEN) + beyondAscii
}
