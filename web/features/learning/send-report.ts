import type { LearnerProgress, LearningReport, SessionAnswer, SessionRequest } from '#contract/learning.ts'
import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import type { SendOutcome, StartOutcome } from './report-outbox.ts'

export const LEARNING_PATH = '/api/learning-metrics'

/** No answer, and there is nothing to say about when to come again. */
export const NOT_NOW: { kind: 'later'; afterMs: number } = { kind: 'later', afterMs: 0 }

/** Statuses between 400 and 499 that another try can change: sign in, take your time, too early, too often. */
const PASSING = new Set([401, 408, 425, 429])

/** What it means for a report that the server has answered with a failure. */
export function judgeFailure(status: number, retryAfterS: number): Exclude<SendOutcome, { kind: 'taken' }> {
  if (status === 403) return { kind: 'expired' }
  if (status === 404) return { kind: 'missing' }
  if (status >= 400 && status < 500 && !PASSING.has(status)) return { kind: 'refused' }
  return { kind: 'later', afterMs: retryAfterS * 1000 }
}

export function sessionsPath(moduleId: string): string {
  return `${LEARNING_PATH}/${encodeURIComponent(moduleId)}/sessions`
}

/** For those whose watching is not counted: they see what learners see, and nothing is sent or kept to be sent. */
export async function sendNowhere(): Promise<SendOutcome> {
  return { kind: 'refused' }
}

/** For those whose watching is not counted. */
export async function startNowhere(): Promise<StartOutcome> {
  return { kind: 'refused' }
}

/** Starts a session for a learner whom the server knows by a token only, or not yet. */
export async function startPublicly(moduleId: string, request: SessionRequest): Promise<StartOutcome> {
  return postPublicly(sessionsPath(moduleId), request, (answer) =>
    isSessionAnswer(answer) ? { kind: 'started', answer } : NOT_NOW,
  )
}

/** Sends for a learner who has only the link. The report arrives even if the page is closed meanwhile. */
export async function sendPublicly(report: LearningReport): Promise<SendOutcome> {
  if (document.visibilityState === 'hidden' && !('keepalive' in Request.prototype)) {
    // A beacon has no answer; the same report goes again when the page is back, and is not counted twice.
    navigator.sendBeacon(LEARNING_PATH, new Blob([JSON.stringify(report)], { type: JSON_TYPE }))
    return NOT_NOW
  }
  return postPublicly(LEARNING_PATH, report, ({ progress }) =>
    isProgress(progress) ? { kind: 'taken', progress } : NOT_NOW,
  )
}

const JSON_TYPE = 'application/json'

type Fields<Of> = { readonly [Name in keyof Of]?: unknown }

// Checked by hand: the schemas of the contract would weigh more than all else that the share page loads.
function isSessionAnswer(answer: Fields<SessionAnswer>): answer is SessionAnswer {
  const { session, learner, hasAccount, progress } = answer
  const hasTokens = typeof session === 'string' && typeof learner === 'string'
  return hasTokens && typeof hasAccount === 'boolean' && isProgress(progress)
}

function isProgress(value: unknown): value is LearnerProgress {
  const { seen, percent, isCompleted, position } = Object(value) as Fields<LearnerProgress>
  const isNumbers = typeof percent === 'number' && typeof position === 'number'
  return (
    isNumbers && typeof isCompleted === 'boolean' && Array.isArray(seen) && seen.every((range) => Array.isArray(range))
  )
}

/** Browsers send no more of what goes on where a page is left (Fetch, "keepalive"). */
const KEEPALIVE_MAX_CHARS = 60_000
/** A photo on the slow line of a hall. */
const LARGE_TIMEOUT_MS = 60_000

/** Sends for a learner who has only the link. Never rejects. */
export async function postPublicly<Outcome>(
  path: string,
  content: unknown,
  read: (answer: Record<string, unknown>) => Outcome,
): Promise<Outcome | Exclude<SendOutcome, { kind: 'taken' }>> {
  const body = JSON.stringify(content)
  try {
    const keepalive = body.length < KEEPALIVE_MAX_CHARS
    const signal = AbortSignal.timeout(keepalive ? REQUEST_TIMEOUT_MS : LARGE_TIMEOUT_MS)
    const headers = { 'content-type': JSON_TYPE }
    const answer = await fetch(path, { method: 'POST', headers, body, keepalive, signal })
    if (!answer.ok) return judgeFailure(answer.status, Number(answer.headers.get('retry-after')) || 0)
    return read(Object(await answer.json()) as Record<string, unknown>)
  } catch {
    // No line, no answer, or one that is not JSON: all of it may pass.
    return NOT_NOW
  }
}
