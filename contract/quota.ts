import { z } from 'zod'
import { Problem } from './problem.ts'

/**
 * What is limited per day: videos that are begun, minutes of video, what models cost, pieces of feedback, questions to the
 * tutor, runs that a person asks for, rows written to the database, and bytes uploaded.
 */
export const QuotaKind = z.enum(['modules', 'minutes', 'ai', 'feedback', 'questions', 'runs', 'rows', 'bytes'])
export type QuotaKind = z.infer<typeof QuotaKind>

/** Whose limit it is; `everyone` stands for all that use this Adapt. */
export const QuotaHolder = z.enum(['user', 'organization', 'everyone'])
export type QuotaHolder = z.infer<typeof QuotaHolder>

/** A limit of the day that has been reached. */
export const Quota = z.object({
  kind: QuotaKind,
  of: QuotaHolder,
  /** In videos, minutes, US dollars, bytes, or a count. */
  limit: z.number().min(0),
  /** When the next day begins, ISO 8601, UTC. */
  opensAt: z.string(),
})
export type Quota = z.infer<typeof Quota>

/** Body of the 429 of a call that would go over a quota; nothing has been done or counted. */
export const QuotaReached = Problem.extend({ code: z.literal('quota_reached'), quota: Quota })
export type QuotaReached = z.infer<typeof QuotaReached>

const HOLDERS = { user: 'Your account', organization: 'Your organization', everyone: 'This Adapt' } as const

/** What a person reads. @param opens when it opens again, in words that follow "It opens again" */
export function describeQuota({ kind, of, limit }: Quota, opens: string): string {
  return `${HOLDERS[of]} has reached its limit of ${describeLimit(kind, limit)} per day. It opens again ${opens}.`
}

function describeLimit(kind: QuotaKind, limit: number): string {
  if (kind === 'ai') return `$${limit} for AI`
  if (kind === 'bytes') return `${describeGigabytes(limit)} GB of uploads`
  const count = limit.toLocaleString('en')
  if (kind === 'rows') return `${count} saved changes`
  if (kind === 'feedback') return limit === 1 ? '1 piece of feedback' : `${count} pieces of feedback`
  if (kind === 'questions') return limit === 1 ? '1 question' : `${count} questions`
  if (kind === 'runs') return limit === 1 ? '1 video to process again' : `${count} videos to process again`
  if (kind === 'modules') return limit === 1 ? '1 video' : `${count} videos`
  return limit === 1 ? '1 minute of video' : `${count} minutes of video`
}

/** In units of 1024³ bytes, like the file sizes on the pages. */
function describeGigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toLocaleString('en', { maximumFractionDigits: 1 })
}
