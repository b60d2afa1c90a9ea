import { firstSpoken } from '#contract/languages.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { ServedContext } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Notice } from '#worker/domain/notice/notice.ts'
import { readSettings } from '#worker/domain/notice/notice-settings.ts'
import { addMail, refundUse } from '#worker/domain/quota/quota-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { logLine } from '#worker/log/log.ts'
import type { Mail, Mailer } from '#worker/ports/mailer.ts'
import { listReviewsOf, markReviewsTold } from './due-review-store.ts'
import { daysAt } from './plan-reminders.ts'
import { type DueRow, findRecipient, listDue, listTitles, markReminded, readPlannedOrg } from './reminder-store.ts'
import { writeCheckpoint, writeReminder, writeReview } from './write-mail.ts'

type Sent = D1PreparedStatement[]

/**
 * Reminds a person of all that is due by now, if anything is.
 * @returns statements that note it
 * @throws {AppError} unavailable
 */
export async function sendReminder(
  context: ServedContext,
  orgId: string,
  { personId }: Extract<Notice, { kind: 'reminder' }>,
): Promise<Sent> {
  const { d1 } = context
  const { mailer } = context.services
  const org = await readPlannedOrg(d1, orgId)
  if (mailer === null || !org.sendsReminders) return []
  const [recipient, listed] = await Promise.all([
    findRecipient(d1, orgId, personId),
    listDue(d1, daysAt(context.nowMs(), org), { personId, wantsMail: true }),
  ])
  const due = listed.filter(({ isToRemind }) => isToRemind === 1)
  if (recipient === null || due.length === 0) return []
  const { origin } = mailer
  const { trainings, languages } = await titleTrainings(d1, due)
  const language = firstSpoken([recipient.language, ...languages])
  const words = writeReminder(language, { name: recipient.name, origin, timeZone: org.timeZone, trainings })
  const isOver = await send(context, { orgId, mailer, mail: { to: recipient.email, ...words } })
  return isOver ? [markReminded(d1, orgId, due)] : []
}

/**
 * Tells a person which of their trainings are due for review by now and were not told of yet, if any are.
 * @returns statements that note it
 * @throws {AppError} unavailable
 */
export async function sendReview(
  context: ServedContext,
  orgId: string,
  { personId }: Extract<Notice, { kind: 'review' }>,
): Promise<Sent> {
  const { d1 } = context
  const { mailer } = context.services
  const org = await readPlannedOrg(d1, orgId)
  if (mailer === null || !org.sendsReminders) return []
  const [recipient, due] = await Promise.all([
    findRecipient(d1, orgId, personId),
    listReviewsOf(d1, { orgId, personId, nowMs: context.nowMs() }),
  ])
  if (recipient === null || due.length === 0) return []
  const language = firstSpoken([recipient.language, ...due.map((training) => training.language)])
  const { origin } = mailer
  const words = writeReview(language, { name: recipient.name, origin, timeZone: org.timeZone, trainings: due })
  const isOver = await send(context, { orgId, mailer, mail: { to: recipient.email, ...words } })
  return isOver ? [markReviewsTold(d1, due)] : []
}

async function titleTrainings(d1: D1Database, due: readonly DueRow[]) {
  const titles = await listTitles(
    d1,
    due.map(({ moduleId }) => moduleId),
  )
  const byId = new Map(titles.map((training) => [training.id, training]))
  const trainings = due.flatMap(({ moduleId, dueMs, stage }) => {
    const title = byId.get(moduleId)?.title
    return title === undefined ? [] : [{ title, dueMs, stage }]
  })
  return { trainings, languages: titles.map(({ language }) => language) }
}

/**
 * Sends a checkpoint to who has asked for it, if somebody still does.
 * @throws {AppError} unavailable
 */
export async function sendCheckpoint(
  context: ServedContext,
  orgId: string,
  checkpoint: Extract<Notice, { kind: 'checkpoint_mail' }>,
): Promise<void> {
  const { mailer } = context.services
  const { checkpointMail } = await readSettings(context.db, orgId)
  if (mailer === null || checkpointMail === null) return
  const { email, language } = checkpointMail
  const words = writeCheckpoint(language, { ...checkpoint, origin: mailer.origin })
  await sendInTurn(context, { orgId, mailer, mail: { to: email, ...words } })
}

interface OrgMail {
  orgId: string
  mailer: Mailer
  mail: Mail
}

/**
 * Sends a mail that nothing sends later.
 * @throws {AppError} unavailable; where it does not fit into the day, until the next one begins
 */
export async function sendInTurn(context: ServedContext, mail: OrgMail): Promise<void> {
  if (await send(context, mail)) return
  const retryAfterS = Math.ceil((DAY_MS - (context.nowMs() % DAY_MS)) / 1000)
  // Our own pace, which is no failure: it waits for as many days as it takes.
  throw new AppError('unavailable', 'The mails of the day are used up.', { retryAfterS, isPaced: true })
}

/**
 * Sends a mail, where it fits into the day.
 * @returns whether it is done with: sent, or refused for good, which the next day would not change
 * @throws {AppError} unavailable
 */
async function send({ d1, quotas, nowMs }: ServedContext, { orgId, mailer, mail }: OrgMail): Promise<boolean> {
  const ofDay = { orgId, day: dayOf(nowMs()) }
  if (!(await addMail(d1, ofDay, quotas))) {
    logLine('warn', 'mail', { outcome: 'left', code: 'quota_reached' })
    return false
  }
  try {
    await mailer.send(mail)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') {
      // It is tried again, and counts then.
      // Counted under its organization.
      await refundUse(d1, { kind: 'mails', moduleId: orgId, day: ofDay.day, amount: 1 })
      throw error
    }
    logLine('warn', 'mail', { outcome: 'refused', code: error.code, cause: error.message })
  }
  return true
}
