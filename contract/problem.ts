import { z } from 'zod'

/**
 * Every expected failure of the API, with its HTTP status and the title of its problem document.
 * The list is closed: anything that is not in it is a bug and is answered as `internal`.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  unauthenticated: { status: 401, title: 'Sign in to continue' },
  /** A learning session's token is not valid; the client starts another session and sends its report again. */
  session_invalid: { status: 403, title: 'The session is not valid' },
  not_found: { status: 404, title: 'Not found' },
  steps_not_found: { status: 404, title: 'Steps not found' },
  steps_not_ready: { status: 409, title: 'Steps are not ready yet' },
  upload_missing: { status: 409, title: 'The upload has not arrived' },
  version_conflict: { status: 409, title: 'Someone else saved first' },
  source_changed: { status: 409, title: 'The uploaded file was replaced' },
  not_in_progress: { status: 409, title: 'Nothing is in progress' },
  audio_refused: { status: 409, title: 'The server reads the audio itself' },
  payload_too_large: { status: 413, title: 'Too large' },
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
