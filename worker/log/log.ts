import { AsyncLocalStorage } from 'node:async_hooks'

/** Of calls that are many and alike, one of so many has a line; its field `oneIn` says so. */
export const SAMPLED_ONE_IN = 10

/** What all lines of one piece of work say, so that one line leads to the others. */
export interface Trace {
  /** Made where something begins: at the entry, in a sweep, when a watchdog wakes up. A run keeps that of its request. */
  requestId?: string | undefined
  /** Clerk's id of who is signed in. */
  userId?: string
  moduleId?: string
  run?: number
  /** Kind of a task. */
  stage?: string | undefined
  /** Of a task, the number of its audio chunk, or of its section. */
  chunk?: number | undefined
  section?: number | undefined
  /** Counts from 1. */
  attempt?: number
  /** Where the copy of the database is that was read, as D1 names it, such as `WEUR`. */
  region?: string | undefined
  /** What the edge's cache said (`cf-cache-status`), such as `HIT`. */
  cache?: string | undefined
}

const traces = new AsyncLocalStorage<Trace>()

/** Does a piece of work whose lines all say the same of it, in whatever it calls and waits for. */
export function withTrace<Result>(trace: Trace, work: () => Result): Result {
  return traces.run(trace, work)
}

/** What this piece of work says of itself; empty outside of any. */
export function currentTrace(): Readonly<Trace> {
  return traces.getStore() ?? {}
}

/** Adds what has become known meanwhile to all further lines. */
export function noteTrace(fields: Trace): void {
  Object.assign(traces.getStore() ?? {}, fields)
}

const REMOVED = '[removed]'

/**
 * What must never be in a log, though a library's error may quote it. What people said or wrote has no shape to be
 * known by: it is kept out by giving lines no field for it.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // An address signs itself in its query: presigned ones of R2, tickets of sockets and videos.
  [/\?[^\s"'<>?]*=[^\s"'<>]*/g, `?${REMOVED}`],
  [/\bbearer\s+[^\s"',;]+/gi, `Bearer ${REMOVED}`],
  [/\b(ticket|token|signature|credential|secret|authorization|cookie)("?\s*[=:]\s*"?)[^\s"'&,;]+/gi, `$1$2${REMOVED}`],
  // JSON Web Tokens, wherever they stand.
  [/\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, REMOVED],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, REMOVED],
  // V8 quotes what it could not parse.
  [/(\.\.\.)?"[^]{0,80}?"(\.\.\.)? is not valid JSON/g, `${REMOVED} is not valid JSON`],
  [/Unexpected token '[^]{1,2}'/g, `Unexpected token ${REMOVED}`],
]

/** A stack with its first frames; the rest are frames of the runtime. */
const MOST_CHARS = 2_000

/** A text as a log may hold it. */
export function withoutSecrets(text: string): string {
  const short = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text
  return SECRETS.reduce((clean, [secret, instead]) => clean.replace(secret, instead), short)
}

/** `error` is a bug, or needs an operator; `warn` recovers by itself or is good to know; `info` is work done. */
export type Level = keyof typeof METHOD

/**
 * All that a line may say. A closed list, without a field for what people say, write or sign in with: what is not here
 * cannot be logged.
 */
export interface LineFields extends Trace {
  outcome?: string
  durationMs?: number
  /** Why it failed: a code of contract/problem.ts or worker/core/errors.ts, or one of `codeOf` there. */
  code?: string
  /** The same at length, as `describeError` formats it. */
  cause?: string

  method?: string
  /** Pattern of the address, such as `/api/steps/:moduleId`; `none` where nothing is there. */
  route?: string
  status?: number
  /** The data centre of Cloudflare that a visitor reached, such as `FRA`. */
  colo?: string
  /** Where only some calls of a route have a line: it stands for so many of them. */
  oneIn?: number
  /** Cloudflare's own id of the request. */
  ray?: string

  retryAfterS?: number
  redrives?: number
  /** How many jobs, modules or messages it is about. */
  count?: number
  /** Tracks of audio that were tried, each with how many words were understood; the best is transcribed. */
  tracks?: string
  messageId?: string
  /** Whose module it was before. */
  fromUserId?: string
  /** Whose module it is, where another person does something with it. */
  ownerId?: string
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

const METHOD = { info: 'log', warn: 'warn', error: 'error' } as const satisfies Record<string, keyof Console>

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
