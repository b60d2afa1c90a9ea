/**
 * List prices of Workers AI in US dollars: Whisper large v3 turbo by the minute of audio, Llama 3.3 70B by the token.
 * A section of three minutes is about 1,400 tokens of instructions and narration and 450 of steps; an answer about
 * 1,500 and 120. A text that is rewritten comes back as long as it was, after 300 tokens of instructions.
 */
const USD = { perMinute: 0.00051, perTokenIn: 0.293e-6, perTokenOut: 2.253e-6 }
const SECTION_TOKENS = { in: 1_400, out: 450 }
const ANSWER_TOKENS = { in: 1_500, out: 120 }
const REWRITE_PROMPT_TOKENS = 300
/** Of English text; other languages take more. */
const CHARS_PER_TOKEN = 4

function usdOfTokens(tokens: { in: number; out: number }): number {
  return tokens.in * USD.perTokenIn + tokens.out * USD.perTokenOut
}

/** Estimates the cost of transcription, US dollars. */
export function usdOfAudio(durationMs: number): number {
  return (durationMs / 60_000) * USD.perMinute
}

/** About what writing the steps of one section costs, US dollars. */
export const USD_PER_SECTION = usdOfTokens(SECTION_TOKENS)

/** About what one answer of the tutor costs, US dollars. */
export const USD_PER_ANSWER = usdOfTokens(ANSWER_TOKENS)

/** About what rewriting a text costs, US dollars. */
export function usdOfRewrite(text: string): number {
  const tokens = text.length / CHARS_PER_TOKEN
  return usdOfTokens({ in: REWRITE_PROMPT_TOKENS + tokens, out: tokens })
}
