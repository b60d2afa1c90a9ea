import type { FailureCode, Module } from '#contract/module.ts'
import * as m from '#messages'

const REASONS: Record<FailureCode, string> = {
  unreadable: m.failure_unreadable(),
  truncated: m.failure_truncated(),
  no_audio: m.failure_no_audio(),
  unsupported_codec: m.failure_unsupported_codec(),
  not_understood: m.failure_not_understood(),
  no_narration: m.failure_no_narration(),
  captions_elsewhere: m.failure_captions_elsewhere(),
  unnamed: m.failure_unnamed(),
  no_recogniser: m.failure_no_recogniser(),
  source_missing: m.failure_source_missing(),
  source_changed: m.failure_source_changed(),
  ai_quota: m.failure_ai_quota(),
  minutes_quota: m.failure_minutes_quota(),
  ai_unavailable: m.failure_ai_unavailable(),
  ai_busy: m.failure_ai_busy(),
  gave_up: m.failure_gave_up(),
}

/** Why a module failed, in the language of the page; the server's own sentence says more, but in English alone. */
export function failureReason({ lastError, failureCode }: Pick<Module, 'lastError' | 'failureCode'>): string | null {
  if (m.language_tag() === 'en' || lastError === null || failureCode === null) return lastError
  return REASONS[failureCode]
}
