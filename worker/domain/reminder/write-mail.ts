import { type InterfaceLanguage, REGIONAL_TAGS } from '#contract/languages.ts'
import * as m from '#messages/pages'
import type { ToldReview } from './due-review-store.ts'
import { type DueRow, STAGES } from './reminder-store.ts'

/** Words of a mail; the address is that of its recipient. */
export interface MailWords {
  subject: string
  text: string
}

/** A training that somebody is reminded of. */
interface RemindedTraining extends Pick<DueRow, 'dueMs' | 'stage'> {
  title: string
}

/** Whom a mail greets, and how its addresses and dates are written. */
interface MailTo {
  name: string
  origin: string
  timeZone: string
}

function datesOf(language: InterfaceLanguage, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(REGIONAL_TAGS[language], { dateStyle: 'long', timeZone })
}

/** Writes a title, which people may have given several lines, in one. */
export const inLine = (title: string) => title.replaceAll(/\s+/g, ' ')

/** Writes what is due for a person, the most urgent first. */
export function writeReminder(
  language: InterfaceLanguage,
  { name, origin, timeZone, trainings }: MailTo & { trainings: RemindedTraining[] },
): MailWords {
  const format = datesOf(language, timeZone)
  const lines = trainings
    .toSorted((a, b) => a.dueMs - b.dueMs)
    .map(({ dueMs, stage, title }) => {
      const date = format.format(dueMs)
      const words = { title: inLine(title), date }
      if (stage === STAGES.overdue) return m.page_mail_overdue(words, language)
      return stage === STAGES.today ? m.page_mail_due_today(words, language) : m.page_mail_due_on(words, language)
    })
  const text = [
    m.page_mail_greeting({ name }, language),
    lines.map((line) => `- ${line}`).join('\n'),
    m.page_mail_open({ address: `${origin}/my` }, language),
    m.page_mail_why(language),
  ]
  return { subject: m.page_mail_subject(language), text: text.join('\n\n') }
}

/** Writes which trainings are due for review, each with where that is done. */
export function writeReview(
  language: InterfaceLanguage,
  { name, origin, timeZone, trainings }: MailTo & { trainings: ToldReview[] },
): MailWords {
  const format = datesOf(language, timeZone)
  const lines = trainings.map(({ moduleId, title, dueMs }) => {
    const since = m.page_mail_review_since({ title: inLine(title), date: format.format(dueMs) }, language)
    return `- ${since}\n  ${origin}/training/${encodeURIComponent(moduleId)}/versions`
  })
  const text = [m.page_mail_greeting({ name }, language), lines.join('\n'), m.page_mail_review_why(language)]
  return { subject: m.page_mail_review_subject(language), text: text.join('\n\n') }
}

/** Writes the end of an organization's training records, for somebody who keeps it elsewhere. */
export function writeCheckpoint(
  language: InterfaceLanguage,
  { day, seq, hash, origin }: { day: string; seq: number; hash: string; origin: string },
): MailWords {
  const text = [
    m.page_mail_checkpoint({ day, seq }, language),
    hash,
    m.page_mail_checkpoint_why(language),
    `${origin}/team/records`,
  ]
  return { subject: m.page_mail_checkpoint_subject({ day }, language), text: text.join('\n\n') }
}
