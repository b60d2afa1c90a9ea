import type { LearningAnswer, LearningReport } from '#contract/learning.ts'
import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import type { SendOutcome } from './report-outbox.ts'

export const LEARNING_PATH = '/api/learning-metrics'

/** No answer, and there is nothing to say about when to come again. */
export const NOT_NOW: SendOutcome = { kind: 'later', afterMs: 0 }

/** Statuses between 400 and 499 that another try can change: sign in, take your time, too early, too often. */
const PASSING = new Set([401, 408, 425, 429])

/** What it means for a report that the server has answered with a failure. */
export function judgeFailure(status: number, retryAfterS: number): SendOutcome {
  if (status === 404) return { kind: 'missing' }
  if (status >= 400 && status < 500 && !PASSING.has(status)) return { kind: 'refused' }
  return { kind: 'later', afterMs: retryAfterS * 1000 }
}

/** For those whose watching is not counted: they see what learners see, and nothing is sent or kept to be sent. */
export async function sendNowhere(): Promise<SendOutcome> {
  return { kind: 'refused' }
}

/** Sends for somebody who has only the link. It arrives also where the page is closed meanwhile. */
export async function sendPublicly(report: LearningReport): Promise<SendOutcome> {
  const body = JSON.stringify(report)
  const type = 'application/json'
  if (document.visibilityState === 'hidden' && !('keepalive' in Request.prototype)) {
    // A beacon has no answer; the same report goes again when the page is back, and is not counted twice.
    navigator.sendBeacon(LEARNING_PATH, new Blob([body], { type }))
    return NOT_NOW
  }
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const headers = { 'content-type': type }
    const answer = await fetch(LEARNING_PATH, { method: 'POST', headers, body, keepalive: true, signal })
    if (!answer.ok) return judgeFailure(answer.status, Number(answer.headers.get('retry-after')) || 0)
    return { kind: 'taken', progress: ((await answer.json()) as LearningAnswer).progress }
  } catch {
    // No line, no answer, or one that is not JSON: all of it may pass.
    return NOT_NOW
  }
}
