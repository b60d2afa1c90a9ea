import type { Tokens } from '#worker/ports/language-model.ts'

/** List prices of Workers AI in US dollars: Whisper large v3 turbo by the minute of audio, Llama 3.3 70B by the token. */
export const AI_PRICES = { perMinute: 0.00051, perTokenIn: 0.293e-6, perTokenOut: 2.253e-6 } as const

/** Computes what tokens cost, US dollars. */
export function usdOfTokens(tokens: Tokens): number {
  return tokens.in * AI_PRICES.perTokenIn + tokens.out * AI_PRICES.perTokenOut
}

/** An English section of three minutes: instructions and narration, and its steps. */
export const SECTION_TOKENS: Tokens = { in: 1_400, out: 450 }
/** An answer with its quotes, after the prompt of a video of a quarter of an hour. */
export const ANSWER_TOKENS: Tokens = { in: 5_000, out: 220 }
/** A judgement, at most. */
export const JUDGE_TOKENS_OUT = 40

/**
 * Rows that reading a screen writes, as `worker/routes/behaviour/screen-costs.test.ts` counts them: each save of a part,
 * each step that the screen changes, each line of the transcript that it repairs, and each text that an owner corrects.
 */
export const SCREEN_ROWS = { perSave: 2, perStep: 3, perLine: 4, perCorrection: 8 } as const

/**
 * The share of a day's budget that the questions of all people may use. The other half is left for transcription:
 * without a model a question can be typed, and is answered in the speaker's own words, but a video that is not
 * transcribed has failed.
 */
export const QUESTIONS_SHARE = 0.5

/**
 * List prices of the platform in US dollars, November 2026, and what the Workers Paid plan includes each month. Sources: the
 * pages "Pricing" of Workers, D1, R2, Queues, Durable Objects, Workers Logs and Email Service at developers.cloudflare.com.
 */
export const PRICES = {
  planPerMonth: 5,
  requests: { included: 10e6, perMillion: 0.3 },
  cpuMs: { included: 30e6, perMillion: 0.02 },
  /** D1; entries of indexes are rows, too. */
  rowsWritten: { included: 50e6, perMillion: 1 },
  rowsRead: { included: 25e9, perMillion: 0.001 },
  databaseGb: { included: 5, perMonth: 0.75 },
  /** R2, standard storage. */
  storedGb: { included: 10, perMonth: 0.015 },
  /** Operations of R2 that write, and those that read, each signed range of a video among them. */
  r2ClassA: { included: 1e6, perMillion: 4.5 },
  r2ClassB: { included: 10e6, perMillion: 0.36 },
  /**
   * R2, Infrequent Access: nothing is included, each GB that is read costs, an object is billed for 30 days at least, and
   * moving one there is an operation that writes.
   */
  rareStoredGb: { included: 0, perMonth: 0.01, perGbRead: 0.01 },
  rareClassA: { included: 0, perMillion: 9 },
  rareClassB: { included: 0, perMillion: 0.9 },
  /** Email Service; each mail has one recipient. */
  mails: { included: 3_000, perMillion: 350 },
  queueOperations: { included: 1e6, perMillion: 0.4 },
  /** Durable Objects; the rows that they write cost what D1's do, and have an allowance of their own as large. */
  roomRequests: { included: 1e6, perMillion: 0.15 },
  roomGbS: { included: 400_000, perMillion: 12.5 },
  /** Log lines, and spans of traces from 2026-12-01 on. */
  events: { included: 20e6, perMillion: 0.6 },
} as const
