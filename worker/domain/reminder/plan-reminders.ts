import { DAY_MS } from '#contract/time/day.ts'
import type { Context } from '#worker/core/context.ts'
import { dayIn, endOfDay } from '#worker/domain/assignment/end-of-day.ts'
import type { Notice } from '#worker/domain/notice/notice.ts'
import { addNotices } from '#worker/domain/notice/notice-store.ts'
import { listReviewers } from './due-review-store.ts'
import { type DaysNow, listDue, listUnplanned, markPlanned, markTold, type PlannedOrg } from './reminder-store.ts'

const HOUR_MS = 3_600_000
/** What is due is told at this hour of an organization's day: nobody is woken up. */
const AT_HOUR = 7
/** From so many days before a date on. */
const SOON_DAYS = 7
/** What was due longer ago is told by no mail and no event: the organization had none of both then, or was told. */
const LATE_DAYS = 14
/** Organizations that one sweep plans, of those whose day has begun among so many. */
const PER_SWEEP = { planned: 50, asked: 5_000 }

/** The days of an organization at a time. */
export function daysAt(nowMs: number, { orgId, timeZone }: Pick<PlannedOrg, 'orgId' | 'timeZone'>): DaysNow {
  const endsIn = (days: number) => endOfDay(dayIn(nowMs + days * DAY_MS, timeZone), timeZone)
  return {
    orgId,
    fromMs: endsIn(-LATE_DAYS),
    yesterdayMs: endsIn(-1),
    todayMs: endsIn(0),
    soonMs: endsIn(SOON_DAYS),
  }
}

/** The day of an organization, which begins in the morning. */
function plannedDayAt(nowMs: number, { timeZone }: Pick<PlannedOrg, 'timeZone'>): string {
  return dayIn(nowMs - AT_HOUR * HOUR_MS, timeZone)
}

/** Lists organizations whose day has begun since it was last looked up what is due there. */
export async function listToPlan({ d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>): Promise<PlannedOrg[]> {
  const now = nowMs()
  // The day is a later one nowhere on earth.
  const orgs = await listUnplanned(d1, dayIn(now, 'Pacific/Kiritimati'), PER_SWEEP.asked)
  return orgs.filter((org) => (org.plannedDay ?? '') < plannedDayAt(now, org)).slice(0, PER_SWEEP.planned)
}

/**
 * Looks up what is due in an organization, once a day: where mail can be sent, a mail for each person who is to be
 * reminded and one for each who is to look at a version again; and an event for each training of a person that has
 * become overdue.
 */
export async function planReminders(
  { d1, nowMs, canMail }: Pick<Context, 'd1' | 'nowMs'> & { canMail: boolean },
  org: PlannedOrg,
): Promise<void> {
  const now = nowMs()
  const { orgId, sendsReminders } = org
  const wantsMail = canMail && sendsReminders
  const [due, reviewers] = await Promise.all([
    listDue(d1, daysAt(now, org), { wantsMail }),
    wantsMail ? listReviewers(d1, { orgId, nowMs: now }) : [],
  ])
  const reminded = due.filter(({ isToRemind }) => isToRemind === 1)
  const people = new Set(reminded.map(({ personId }) => personId))
  const late = due.filter(({ isToTell }) => isToTell === 1)
  const notices: Notice[] = [
    ...Array.from(people, (personId) => ({ kind: 'reminder', personId }) as const),
    ...reviewers.map((personId) => ({ kind: 'review', personId }) as const),
    ...late.map(({ personId, moduleId, dueMs }) => ({ kind: 'training.overdue', personId, moduleId, dueMs }) as const),
  ]
  await d1.batch([
    ...addNotices(d1, orgId, { notices, nowMs: now }),
    ...(late.length === 0 ? [] : [markTold(d1, orgId, late)]),
    markPlanned(d1, { orgId, day: plannedDayAt(now, org), nowMs: now }),
  ])
}
