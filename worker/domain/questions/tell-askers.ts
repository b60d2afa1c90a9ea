import { firstSpoken, type InterfaceLanguage } from '#contract/languages.ts'
import { sharePath } from '#contract/share-page.ts'
import * as m from '#messages/pages'
import type { Context, ServedContext } from '#worker/core/context.ts'
import type { Services } from '#worker/core/services.ts'
import { listRows } from '#worker/db/db.ts'
import type { AnswerRow } from '#worker/domain/answer/answer-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import type { Notice } from '#worker/domain/notice/notice.ts'
import { addNotices } from '#worker/domain/notice/notice-store.ts'
import { sendInTurn } from '#worker/domain/reminder/send-mail.ts'
import { inLine, type MailWords } from '#worker/domain/reminder/write-mail.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { sayAnswered } from '#worker/domain/tutor/trainer-answers.ts'

/** What is needed to have askers told by mail. */
export type TellContext = Pick<Context, 'd1' | 'nowMs'> & { services: Pick<Services, 'mailer'> }

/** People who asked the trainer something with their account, and have an address; none where the organization mails nobody. */
const ASKERS = `questions AS q JOIN people AS p ON p.org_id = ?1 AND p.user_id = q.user_id
  AND p.is_active = 1 AND p.joined_to IS NULL AND p.email IS NOT NULL
  AND coalesce((SELECT sends_reminders FROM glossaries WHERE org_id = ?1), 1)`
const LIST = `SELECT DISTINCT p.id AS personId FROM ${ASKERS}
  WHERE q.module_id = ?2 AND q.asked_at IS NOT NULL AND q.id IN (SELECT value FROM json_each(?3))`

/**
 * Makes the statements that have the people told by mail who asked the trainer some questions, for the batch of the
 * answer. Addresses are those that the training's organization has; where nobody has one there are no statements.
 */
export async function tellAskers(
  { d1, nowMs, services }: TellContext,
  { id: moduleId, orgId }: Pick<ModuleRow, 'id' | 'orgId'>,
  { answerId, ids }: { answerId: string; ids: readonly string[] },
): Promise<D1PreparedStatement[]> {
  if (services.mailer === null || orgId === null) return []
  const askers = await listRows<{ personId: string }>(d1, LIST, orgId, moduleId, JSON.stringify(ids))
  const notices = askers.map(({ personId }) => ({ kind: 'answer', personId, moduleId, answerId }) as const)
  return addNotices(d1, orgId, { notices, nowMs: nowMs() })
}

interface ToldAsker extends Pick<AnswerRow, 'question' | 'text' | 'answeredAt'> {
  name: string
  email: string
  askedIn: string | null
  title: string
  spoken: string | null
  linkId: string
  timeZone: string
}

/** The last question of a person that an answer is to, while both are there. */
const FIND = `SELECT p.name, p.email, q.question, q.asked_in AS askedIn, a.text, a.answered_at AS answeredAt,
    coalesce(v.title, m.title) AS title, m.language AS spoken, coalesce(m.link_code, m.id) AS linkId,
    coalesce((SELECT time_zone FROM glossaries WHERE org_id = ?1), 'UTC') AS timeZone
  FROM trainer_answers AS a JOIN ${ASKERS} JOIN modules AS m ON m.id = a.module_id
  LEFT JOIN training_versions AS v ON v.module_id = m.id AND v.number = m.published_version
  WHERE a.id = ?4 AND p.id = ?2 AND m.id = ?3 AND m.org_id = ?1
    AND q.module_id = a.module_id AND q.answer_id = a.id AND q.asked_at IS NOT NULL
  ORDER BY q.asked_at DESC LIMIT 1`

/**
 * Sends the trainer's answer to a person who asked for it, unless either is gone.
 * @throws {AppError} unavailable
 */
export async function sendAnswer(
  context: ServedContext,
  orgId: string,
  { personId, moduleId, answerId }: Extract<Notice, { kind: 'answer' }>,
): Promise<void> {
  const { mailer } = context.services
  if (mailer === null) return
  const [asker] = await listRows<ToldAsker>(context.d1, FIND, orgId, personId, moduleId, answerId)
  if (asker === undefined) return
  const words = writeAnswer(firstSpoken([asker.askedIn, asker.spoken]), asker, mailer.origin)
  await sendInTurn(context, { orgId, mailer, mail: { to: asker.email, ...words } })
}

/** Writes the mail. */
function writeAnswer(
  language: InterfaceLanguage,
  { name, linkId, question, text, timeZone, ...asker }: ToldAsker,
  origin: string,
): MailWords {
  const answered = { answeredAt: toIso(asker.answeredAt), isEarlier: false }
  const title = inLine(asker.title)
  const parts = [
    m.page_mail_greeting({ name }, language),
    `${m.page_mail_answer({ title }, language)}\n${question}`,
    `${sayAnswered(answered, language, timeZone)}\n${text}`,
    m.page_mail_answer_open({ address: origin + sharePath(linkId) }, language),
    m.page_mail_answer_why(language),
  ]
  return { subject: m.page_mail_answer_subject({ title }, language), text: parts.join('\n\n') }
}
