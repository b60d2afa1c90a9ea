import type { Complaint, LanguageStatus, LanguagesAnswer } from '#contract/translation.ts'
import * as m from '#messages'

/** Why a translation failed, in the language of the page. */
export function translationFailure({ code, detail }: NonNullable<LanguageStatus['failure']>): string {
  if (m.language_tag() === 'en') return detail
  if (code === 'ai_quota') return m.translation_ai_quota()
  if (code === 'ai_busy') return m.translation_ai_busy()
  return code === 'gave_up' ? m.translation_gave_up() : m.translation_refused()
}

const NO_LANGUAGES: Record<NonNullable<LanguagesAnswer['whyNone']>['code'], string> = {
  no_engine: m.languages_no_engine(),
  not_ready: m.languages_not_ready(),
  language_unknown: m.languages_language_unknown(),
  not_from_here: m.languages_not_from_here(),
  engine_away: m.languages_engine_away(),
}

/** Why no language can be switched on, in the language of the page. */
export function whyNoLanguage({ code, detail }: NonNullable<LanguagesAnswer['whyNone']>): string {
  return m.language_tag() === 'en' ? detail : NO_LANGUAGES[code]
}

const JUDGED = {
  not_lost: m.complaint_not_lost(),
  not_added: m.complaint_not_added(),
  too_long: m.complaint_too_long(),
  empty: m.complaint_empty(),
  untranslated: m.complaint_untranslated(),
  shorter: m.complaint_shorter(),
  longer: m.complaint_longer(),
} as const

/** What a check found in a translation, in the language of the page. */
export function complaintText(complaint: Complaint): string {
  if (!('lost' in complaint)) return JUDGED[complaint.kind]
  const { lost, added } = complaint
  const list = (parts: readonly string[]) => new Intl.ListFormat(m.language_tag(), { type: 'unit' }).format(parts)
  return [
    lost.length > 0 ? m.complaint_lost({ list: list(lost) }) : '',
    added.length > 0 ? m.complaint_added({ list: list(added) }) : '',
  ]
    .filter(Boolean)
    .join(' ')
}
