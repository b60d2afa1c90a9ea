import { z } from 'zod'
import { Problem } from './problem.ts'

/** What is limited per day: videos that are begun, minutes of video, what models cost, bytes uploaded, cues of captions. */
export const QuotaKind = z.enum(['modules', 'minutes', 'ai', 'bytes', 'cues'])
export type QuotaKind = z.infer<typeof QuotaKind>

/** Whose limit it is. */
export const QuotaHolder = z.enum(['user', 'organization'])
export type QuotaHolder = z.infer<typeof QuotaHolder>

/** A limit of the day that has been reached. */
export const Quota = z.object({
  kind: QuotaKind,
  of: QuotaHolder,
  /** In videos, minutes, US dollars, bytes, or cues. */
  limit: z.number().min(0),
  /** When the next day begins, ISO 8601, UTC. */
  opensAt: z.string(),
})
export type Quota = z.infer<typeof Quota>

/** Body of the 429 of a call that would go over a quota; nothing has been done or counted. */
export const QuotaReached = Problem.extend({ code: z.literal('quota_reached'), quota: Quota })
export type QuotaReached = z.infer<typeof QuotaReached>

/** What a person reads. @param opens when it opens again, in words that follow "It opens again" */
export function describeQuota({ kind, of, limit }: Quota, opens: string): string {
  const holder = of === 'user' ? 'Your account' : 'Your organization'
  return `${holder} has reached its limit of ${describeLimit(kind, limit)} per day. It opens again ${opens}.`
}

function describeLimit(kind: QuotaKind, limit: number): string {
  if (kind === 'ai') return `$${limit} for AI`
  if (kind === 'bytes') return `${describeGigabytes(limit)} GB of uploads`
  const count = limit.toLocaleString('en')
  if (kind === 'cues') return `${count} lines of captions`
  if (kind === 'modules') return limit === 1 ? '1 video' : `${count} videos`
  return limit === 1 ? '1 minute of video' : `${count} minutes of video`
}

/** Of 1024³ bytes, as the size of a file is told. */
function describeGigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toLocaleString('en', { maximumFractionDigits: 1 })
}
