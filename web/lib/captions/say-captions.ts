import type { CaptionDoubt, CaptionRepairCode, CaptionShift } from '#contract/captions/report.ts'
import type { CaptionsAnswer } from '#contract/transcript.ts'
import * as m from '#messages'
import { formatDuration } from '../format/format-duration.ts'
import { languageName } from '../format/language-name.ts'

/** What is said of each repair. */
export const REPAIR_TEXTS = {
  bad_byte: m.repair_bad_byte(),
  bad_sign: m.repair_bad_sign(),
  odd_time: m.repair_odd_time(),
  frame_rate: m.repair_frame_rate(),
  time_guessed: m.repair_time_guessed(),
  end_guessed: m.repair_end_guessed(),
  before_start: m.repair_before_start(),
  out_of_order: m.repair_out_of_order(),
  left_out: m.repair_left_out(),
  shown_again: m.repair_shown_again(),
  shared_out: m.repair_shared_out(),
} as const satisfies Record<CaptionRepairCode, string>

/** A count in the digits and groups of the page's language. */
export const showCount = (count: number) => count.toLocaleString(m.language_tag())

/** `212 captions`, with their language where it is known. */
export function sayCaptions({ cues, language }: Pick<CaptionsAnswer, 'cues' | 'language'>): string {
  const captions = m.caption_count({ count: cues, shown: showCount(cues) })
  return language === null ? captions : m.captions_in_language({ captions, language: languageName(language) })
}

const sayLength = (seconds: number) => formatDuration(Math.abs(seconds) * 1000)
/** Ends that differ by less are not felt. */
const CONSTANT_S = 0.3

/** How captions would be moved, and why. */
export function sayShift({ reason, first, last }: CaptionShift): string {
  if (reason === 'after_end') return m.captions_after_the_end({ time: sayLength(first) })
  if (Math.abs(first - last) >= CONSTANT_S) return m.captions_drift({ first: sayLength(first), last: sayLength(last) })
  return first < 0
    ? m.captions_come_late({ time: sayLength(first) })
    : m.captions_come_early({ time: sayLength(first) })
}

/** Why captions may be of another video. */
export function sayDoubt({ code, captionsSeconds, videoSeconds }: CaptionDoubt): string {
  const lengths = { captions: sayLength(captionsSeconds), video: sayLength(videoSeconds) }
  return code === 'shorter_than_speech' ? m.captions_of_other_speech(lengths) : m.captions_of_another_video(lengths)
}

/** Which languages the captions and the video are in, and what becomes of the other one; one sentence each. */
export function sayLanguages({ languages, language, spoken }: CaptionsAnswer): string[] {
  if (language === null) return []
  const said = languages.filter((each) => each.language !== language).map((each) => each.language)
  const kept = said.map((other) => m.captions_kept_as_translation({ language: languageName(other) }))
  if (spoken === null) return kept
  const names = { captions: languageName(language), video: languageName(spoken) }
  return [...kept, m.captions_in_other_language(names)]
}
