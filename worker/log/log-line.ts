import { currentTrace, type Trace } from './trace.ts'
import { withoutSecrets } from './without-secrets.ts'

/** `error` is a bug, or needs an operator; `warn` recovers by itself or is good to know; `info` is work done. */
export type Level = 'info' | 'warn' | 'error'

/**
 * All that a line may say. A closed list, without a field for what people say, write or sign in with: what is not here
 * cannot be logged.
 */
export interface LineFields extends Trace {
  outcome?: string
  durationMs?: number
  /** Why it failed: a code of contract/problem.ts or worker/errors.ts, or one of `codeOf` there. */
  code?: string
  /** The same at length, as `describeError` formats it. */
  cause?: string

  method?: string
  /** Pattern of the address, such as `/api/steps/:moduleId`; `none` where nothing is there. */
  route?: string
  status?: number
  /** Cloudflare's own id of the request. */
  ray?: string

  retryAfterS?: number
  redrives?: number
  /** How many jobs, modules or messages it is about. */
  count?: number
  messageId?: string
  /** Whose module it was before. */
  fromUserId?: string
  /** Place of a video in the bucket. */
  key?: string
  queue?: string
  /** A part that was asked how it is. */
  probe?: string
  counts?: Record<string, number>

  /** Engine and name of a model, and what it did. */
  model?: string
  end?: string
  isCovered?: boolean
  sentences?: number

  /** Of a published event: its number, how many watchers received it, and the module's progress in percent. */
  seq?: number
  watchers?: number
  progress?: number
}

const METHOD = { info: 'log', warn: 'warn', error: 'error' } as const satisfies Record<Level, keyof Console>

/**
 * Writes one line, together with what its piece of work says of itself. One object: `wrangler tail --format json` and
 * Workers Logs take its fields apart. Nothing else in the worker writes to the console.
 */
export function logLine(level: Level, event: string, fields: LineFields = {}): void {
  const line: Record<string, unknown> = { level, event }
  // What is particular to the line stands first in it, and counts.
  for (const [name, value] of Object.entries({ ...fields, ...currentTrace(), ...fields })) {
    if (value !== undefined) line[name] = typeof value === 'string' ? withoutSecrets(value) : value
  }
  console[METHOD[level]](line)
}
