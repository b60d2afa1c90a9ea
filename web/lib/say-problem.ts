import type { Problem, ProblemCode } from '#contract/problem.ts'
import * as m from '#messages'

/** What each problem of the API is in the language of the page; what the API itself says of it is English. */
const PROBLEM_TITLES: Record<ProblemCode, string> = {
  invalid_request: m.problem_invalid_request(),
  invalid_json: m.problem_invalid_json(),
  unauthenticated: m.problem_unauthenticated(),
  key_invalid: m.problem_key_invalid(),
  sign_in_incomplete: m.problem_sign_in_incomplete(),
  session_invalid: m.problem_session_invalid(),
  approval_needed: m.problem_approval_needed(),
  reverification_needed: m.problem_reverification_needed(),
  link_locked: m.this_link_needs_a_password(),
  not_found: m.problem_not_found(),
  steps_not_found: m.problem_steps_not_found(),
  steps_not_ready: m.problem_steps_not_ready(),
  upload_missing: m.problem_upload_missing(),
  version_conflict: m.problem_version_conflict(),
  source_changed: m.problem_source_changed(),
  not_in_progress: m.problem_not_in_progress(),
  audio_refused: m.problem_audio_refused(),
  screen_off: m.problem_screen_off(),
  on_hold: m.problem_on_hold(),
  assigned: m.problem_assigned(),
  link_ended: m.this_link_has_ended(),
  link_replaced: m.this_link_was_replaced(),
  payload_too_large: m.problem_payload_too_large(),
  images_full: m.problem_images_full(),
  unsupported_media_type: m.problem_unsupported_media_type(),
  range_not_satisfiable: m.problem_range_not_satisfiable(),
  file_empty: m.problem_file_empty(),
  not_a_video: m.problem_not_a_video(),
  captions_invalid: m.problem_captions_invalid(),
  processing_failed: m.problem_processing_failed(),
  too_early: m.problem_too_early(),
  upgrade_required: m.problem_upgrade_required(),
  rate_limited: m.problem_rate_limited(),
  quota_reached: m.problem_quota_reached(),
  internal: m.problem_internal(),
  not_implemented: m.problem_not_implemented(),
  unavailable: m.problem_unavailable(),
}

/** What a failed call says: in English the API's own sentence, which says more than the name of its problem. */
export function sayProblem({ code, detail }: Pick<Problem, 'code' | 'detail'>): string {
  if (m.language_tag() === 'en') return detail
  return Object.entries(PROBLEM_TITLES).find(([each]) => each === code)?.[1] ?? detail
}
