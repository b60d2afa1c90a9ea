import { describeQuota, QuotaReached } from '#contract/quota.ts'
import { ApiError } from './api-error.ts'

const DAY = new Intl.DateTimeFormat('en', { weekday: 'long' })
const TIME = new Intl.DateTimeFormat('en', { timeStyle: 'short' })

/** Which limit of the day a call has met and when it opens again, by the person's own clock; null for other failures. */
export function quotaSentence(error: Error): string | null {
  const reached = QuotaReached.safeParse(error instanceof ApiError ? error.body : undefined)
  if (!reached.success) return null
  const opensAt = new Date(reached.data.quota.opensAt)
  return describeQuota(reached.data.quota, `on ${DAY.format(opensAt)} at ${TIME.format(opensAt)}`)
}
