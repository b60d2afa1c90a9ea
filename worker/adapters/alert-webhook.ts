import { AppError } from '#worker/core/errors.ts'
import type { HealthAlert } from '#worker/ports/alert.ts'
import { askReceiver } from './ask-receiver.ts'

/** A sweep waits for no receiver longer than this. */
const DEADLINE_MS = 5_000

/**
 * Sends an alert as JSON to a webhook.
 * @throws {AppError} unavailable, when it is not taken within `deadlineMs`
 */
export async function postAlert(url: string, alert: HealthAlert, deadlineMs = DEADLINE_MS): Promise<void> {
  const answered = await askReceiver(url, { body: JSON.stringify(alert) }, deadlineMs)
  if (answered === 'timeout') throw notTaken(`no answer within ${deadlineMs / 1000} s`)
  if (answered === 'unreachable') throw notTaken('it could not be reached')
  if (answered < 200 || answered > 299) throw notTaken(`it answered ${answered}`)
}

/** Why a receiver has not taken an alert. */
export function notTaken(why: string): AppError {
  return new AppError('unavailable', `The receiver of alerts has not taken one: ${why}.`)
}
