import { AppError } from '#worker/core/errors.ts'
import type { HealthAlert } from '#worker/ports/alert.ts'

/** A sweep waits for no receiver longer than this. */
const DEADLINE_MS = 5_000

/**
 * Sends an alert as JSON to a webhook.
 * @param url may open the receiver to everybody who has it, so no error quotes it
 * @throws {AppError} unavailable, when it is not taken within `deadlineMs`
 */
export async function postAlert(url: string, alert: HealthAlert, deadlineMs = DEADLINE_MS): Promise<void> {
  const status = await askReceiver(url, alert, deadlineMs)
  if (status < 200 || status > 299) throw notTaken(`it answered ${status}`)
}

async function askReceiver(url: string, alert: HealthAlert, deadlineMs: number): Promise<number> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(alert),
      redirect: 'manual',
      signal,
    })
    await answer.body?.cancel()
    return answer.status
  } catch {
    throw notTaken(signal.aborted ? `no answer within ${deadlineMs / 1000} s` : 'it could not be reached')
  }
}

/** Why a receiver has not taken an alert. */
export function notTaken(why: string): AppError {
  return new AppError('unavailable', `The receiver of alerts has not taken one: ${why}.`)
}
