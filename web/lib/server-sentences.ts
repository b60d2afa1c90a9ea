import { type FailureCode, type Module, RUN_MESSAGES } from '#contract/module.ts'
import * as m from '#messages'

const REASONS: Record<FailureCode, string> = {
  unreadable: m.failure_unreadable(),
  truncated: m.failure_truncated(),
  encrypted: m.failure_encrypted(),
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

const MESSAGES: Record<(typeof RUN_MESSAGES)[keyof typeof RUN_MESSAGES], string> = {
  [RUN_MESSAGES.waitsForUpload]: m.run_waits_for_upload(),
  [RUN_MESSAGES.uploads]: m.run_uploading(),
  [RUN_MESSAGES.waits]: m.waiting_for_its_turn(),
  [RUN_MESSAGES.waitsForSpeech]: m.run_waits_for_speech(),
  [RUN_MESSAGES.preparesSpeech]: m.run_prepares_speech(),
  [RUN_MESSAGES.waitsForModel]: m.run_waits_for_model(),
  [RUN_MESSAGES.preparesAudio]: m.run_prepares_audio(),
  [RUN_MESSAGES.waitsForVideo]: m.run_waits_for_video(),
  [RUN_MESSAGES.writesSteps]: m.run_writes_steps(),
  [RUN_MESSAGES.looksForScenes]: m.run_looks_for_scenes(),
  [RUN_MESSAGES.savesSteps]: m.run_saves_steps(),
  [RUN_MESSAGES.failed]: m.problem_processing_failed(),
  [RUN_MESSAGES.ready]: m.ready_state(),
}
const LISTENING = /^Listening to the narration \((\d+) of (\d+) chunks\)$/

/** What a run does now, in the language of the page; as the server says it where this page is older than the server. */
export function runMessage(message: string): string {
  if (m.language_tag() === 'en') return message
  const [, done, total] = LISTENING.exec(message) ?? []
  if (done !== undefined && total !== undefined) return m.run_listens({ done, total })
  return Object.entries(MESSAGES).find(([each]) => each === message)?.[1] ?? message
}
