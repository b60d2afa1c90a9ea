import { expect, it } from 'vitest'
import { describeQuota, PROBLEMS, Problem, Success } from './problem.ts'

const GB = 1024 ** 3

it.each([
  ['ai', 1, '$1 for AI'],
  ['bytes', 2.5 * GB, '2.5 GB of uploads'],
  ['rows', 20_000, '20,000 saved changes'],
  ['feedback', 1, '1 piece of feedback'],
  ['feedback', 2, '2 pieces of feedback'],
  ['questions', 1, '1 question'],
  ['questions', 0, '0 questions'],
  ['runs', 1, '1 video to process again'],
  ['runs', 3, '3 videos to process again'],
  ['photos', 1, '1 photo'],
  ['photos', 300, '300 photos'],
  ['modules', 1, '1 video'],
  ['modules', 1_000, '1,000 videos'],
  ['minutes', 1, '1 minute of video'],
  ['minutes', 90, '90 minutes of video'],
] as const)('says a limit of %s of %d as "%s"', (kind, limit, words) => {
  expect(describeQuota({ kind, of: 'organization', limit, opensAt: '' }, 'at midnight')).toBe(
    `Your organization has reached its limit of ${words} per day. It opens again at midnight.`,
  )
})

it('gives each failure the status that clients act on', () => {
  const codes = Object.groupBy(Object.entries(PROBLEMS), ([, { status }]) => status)
  const byStatus = Object.entries(codes).map(([status, problems]) => [
    status,
    problems?.map(([code]) => code).join(' '),
  ])
  expect(Object.fromEntries(byStatus)).toEqual({
    400: 'invalid_request invalid_json',
    401: 'unauthenticated key_invalid',
    403: 'sign_in_incomplete session_invalid approval_needed reverification_needed link_locked',
    404: 'not_found steps_not_found',
    409: 'steps_not_ready upload_missing version_conflict source_changed on_hold assigned not_in_progress audio_refused screen_off',
    410: 'link_ended link_replaced',
    413: 'payload_too_large images_full',
    415: 'unsupported_media_type',
    416: 'range_not_satisfiable',
    422: 'file_empty not_a_video captions_invalid processing_failed',
    425: 'too_early',
    426: 'upgrade_required',
    429: 'rate_limited quota_reached',
    500: 'internal',
    501: 'not_implemented',
    503: 'unavailable',
  })
})

it('tells an answer from a failure', () => {
  const failure = { type: 't', title: 't', status: 404, code: 'not_found', detail: 'd', requestId: 'r', error: 'd' }
  expect(Success.safeParse({ success: true }).success).toBe(true)
  expect(Success.safeParse({ ...failure, success: false }).success).toBe(false)
  expect(Problem.safeParse({ ...failure, success: false }).success).toBe(true)
  expect(Problem.safeParse({ ...failure, success: true }).success).toBe(false)
})
