import { z } from 'zod'

/**
 * Every expected failure of the API, with its HTTP status and the title of its problem document.
 * The list is closed: anything that is not in it is a bug and is answered as `internal`.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  unauthenticated: { status: 401, title: 'Sign in to continue' },
  /** The key of a program was replaced or removed; no other one is had without a person. */
  key_invalid: { status: 401, title: 'The key is not valid' },
  /** Clerk still asks this person for something, mostly an organization; no new token helps until then. */
  sign_in_incomplete: { status: 403, title: 'The sign-in is not complete' },
  /** A learning session's token is not valid; the client starts another session and sends its report again. */
  session_invalid: { status: 403, title: 'The session is not valid' },
  /** Somebody else has to publish the version, by the rules of the organization. */
  approval_needed: { status: 403, title: 'Somebody else has to release it' },
  /** The sign-in is older than the organization allows; the body asks for the password as Clerk's own answers do. */
  reverification_needed: { status: 403, title: 'Confirm that it is you' },
  /** The link of a training needs its password (`POST /api/share/{id}/unlock`), or was given a wrong one. */
  link_locked: { status: 403, title: 'The link needs a password' },
  not_found: { status: 404, title: 'Not found' },
  steps_not_found: { status: 404, title: 'Steps not found' },
  steps_not_ready: { status: 409, title: 'Steps are not ready yet' },
  upload_missing: { status: 409, title: 'The upload has not arrived' },
  version_conflict: { status: 409, title: 'Someone else saved first' },
  source_changed: { status: 409, title: 'The uploaded file was replaced' },
  /** A legal hold of the organization keeps what was to be removed. */
  on_hold: { status: 409, title: 'A legal hold is in force' },
  /** People are to be trained on what was to be taken away. */
  assigned: { status: 409, title: 'People are to be trained on it' },
  not_in_progress: { status: 409, title: 'Nothing is in progress' },
  audio_refused: { status: 409, title: 'The server reads the audio itself' },
  screen_off: { status: 409, title: 'The screen is not to be read' },
  link_ended: { status: 410, title: 'The link has ended' },
  link_replaced: { status: 410, title: 'The link was replaced' },
  payload_too_large: { status: 413, title: 'Too large' },
  /** A training has as many images of steps as it may, those of its published versions included. */
  images_full: { status: 413, title: 'No room for more pictures' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  file_empty: { status: 422, title: 'The file is empty' },
  not_a_video: { status: 422, title: 'The file is not a video' },
  captions_invalid: { status: 422, title: 'The caption file cannot be read' },
  processing_failed: { status: 422, title: 'Processing failed' },
  /** The same call succeeds once the module has been checked; `Retry-After` says when to retry. */
  too_early: { status: 425, title: 'Too early' },
  upgrade_required: { status: 426, title: 'WebSocket expected' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_reached: { status: 429, title: 'The limit of the day is reached' },
  internal: { status: 500, title: 'Something went wrong' },
  not_implemented: { status: 501, title: 'Not implemented' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>

/** The `code` of a failed call. */
export type ProblemCode = keyof typeof PROBLEMS

/** What every answer says that is no {@link Problem}. */
export const Success = z.object({ success: z.literal(true) })

/**
 * Body of every failed call (`application/problem+json`, RFC 9457) with the two fields that the product's own
 * contract promises: `success: false` and `error` (the same text as `detail`).
 */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  success: z.literal(false),
  error: z.string(),
})
export type Problem = z.infer<typeof Problem>

/**
 * What is limited per day: videos that are begun, minutes of video, what models cost, pieces of feedback, questions to the
 * tutor, runs that a person asks for, photos of sign-offs, rows written to the database, and bytes uploaded.
 */
export const QuotaKind = z.enum([
  'modules',
  'minutes',
  'ai',
  'feedback',
  'questions',
  'runs',
  'photos',
  'rows',
  'bytes',
])
export type QuotaKind = z.infer<typeof QuotaKind>

/** Whose limit it is; `owner` is the owner of a video that another person uses, `everyone` all that use this Adapt. */
export const QuotaHolder = z.enum(['user', 'organization', 'owner', 'everyone'])
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

const HOLDERS = {
  user: 'Your account',
  organization: 'Your organization',
  owner: 'The owner of this video',
  everyone: 'This Adapt',
} as const satisfies Record<QuotaHolder, string>

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
  if (kind === 'photos') return limit === 1 ? '1 photo' : `${count} photos`
  if (kind === 'modules') return limit === 1 ? '1 video' : `${count} videos`
  return limit === 1 ? '1 minute of video' : `${count} minutes of video`
}

/** In units of 1024³ bytes, like the file sizes on the pages. */
function describeGigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toLocaleString('en', { maximumFractionDigits: 1 })
}
