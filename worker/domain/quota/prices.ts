/** List prices of Workers AI in US dollars: Whisper large v3 turbo by the minute of audio, Llama 3.3 70B by the token. */
export const AI_PRICES = { perMinute: 0.00051, perTokenIn: 0.293e-6, perTokenOut: 2.253e-6 } as const

/**
 * List prices of the platform in US dollars, November 2026, and what the Workers Paid plan includes each month. Sources: the
 * pages "Pricing" of Workers, D1, R2, Queues, Durable Objects and Workers Logs at developers.cloudflare.com.
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
  queueOperations: { included: 1e6, perMillion: 0.4 },
  /** Durable Objects. */
  roomRequests: { included: 1e6, perMillion: 0.15 },
  roomGbS: { included: 400_000, perMillion: 12.5 },
  /** Log lines, and spans of traces from 2026-12-01 on. */
  events: { included: 20e6, perMillion: 0.6 },
} as const
