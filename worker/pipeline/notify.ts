import type { Context, ServedContext } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { type EventNotice, isMail, Notice } from '#worker/domain/notice/notice.ts'
import { findWebhook, noteNotTaken, noteTaken } from '#worker/domain/notice/notice-store.ts'
import { NOTICE_SUBJECT, readNoticeId } from '#worker/domain/notice/notice-subject.ts'
import { sendAnswer } from '#worker/domain/questions/tell-askers.ts'
import { sendCheckpoint, sendReminder, sendReview } from '#worker/domain/reminder/send-mail.ts'
import { logLine } from '#worker/log/log.ts'
import { NotTaken } from '#worker/ports/webhook.ts'
import type { Task, TaskHandler } from '#worker/tasks/task.ts'
import { retryTask, settleRepeated } from '#worker/tasks/task-store.ts'
import { writeEvent } from './write-event.ts'

/** Pauses after an event was not taken, in seconds: a receiver that is down for a night misses nothing. */
const PAUSES_S = [10, 60, 5 * 60, 30 * 60, 2 * 3_600, 8 * 3_600]
/** From the first failure of an event to its last, at least. */
const TRIED_FOR_MS = PAUSES_S.reduce((sum, pauseS) => sum + pauseS, 0) * 1000
/** After a fault of ours that did not pass in minutes. */
const FAULT_PAUSE_MS = 8 * 3_600_000
/** The receiver says that it is gone for good. */
const GONE = '410'

/** An event was not taken where it was sent to. */
class EventNotTaken extends AppError {
  readonly reason: string
  readonly url: string

  constructor({ message, reason }: NotTaken, { url, attempts }: Pick<Task, 'attempts'> & { url: string }) {
    super(reason === GONE ? 'not_found' : 'unavailable', message, { retryAfterS: PAUSES_S[attempts] ?? 0 })
    this.reason = reason
    this.url = url
  }
}

/** Sends one notice: a mail, or an event to the address of its organization. */
async function notify(task: Task, context: ServedContext): Promise<void> {
  const claimedMs = context.nowMs()
  const { orgId } = readNoticeId(task.subjectId)
  const notice = Notice.parse(task.payload)
  const sent: D1PreparedStatement[] = []
  if (notice.kind === 'reminder') sent.push(...(await sendReminder(context, orgId, notice)))
  else if (notice.kind === 'review') sent.push(...(await sendReview(context, orgId, notice)))
  else if (notice.kind === 'answer') await sendAnswer(context, orgId, notice)
  else if (notice.kind === 'checkpoint_mail') await sendCheckpoint(context, orgId, notice)
  else await sendEvent(task, context, notice)
  await context.d1.batch([...sent, ...settleRepeated(context.d1, task, claimedMs)])
}

async function sendEvent({ subjectId, attempts }: Task, context: ServedContext, notice: EventNotice): Promise<void> {
  const { d1, services, nowMs } = context
  const { orgId, name } = readNoticeId(subjectId)
  const webhook = await findWebhook(d1, orgId)
  const event = webhook === null ? null : await writeEvent(context, orgId, notice)
  if (webhook === null || event === null) return
  const { url, secret } = webhook
  try {
    const id = `${orgId}-${name}`
    await services.webhooks.post({ url, secret, id, body: JSON.stringify(event), timeMs: nowMs() })
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    await noteNotTaken(d1, { orgId, url, reason: error.reason, isLast: false, nowMs: nowMs() })
    throw new EventNotTaken(error, { url, attempts })
  }
  await noteTaken(d1, { orgId, url, nowMs: nowMs() })
}

/** Whether an address has taken other events since this one failed first: then it will never take this one. */
async function takesOthers({ d1, nowMs }: Context, orgId: string, { url, reason }: EventNotTaken): Promise<boolean> {
  if (reason === GONE) return false
  const webhook = await findWebhook(d1, orgId)
  return webhook?.url === url && (webhook.okAt ?? 0) > nowMs() - TRIED_FOR_MS
}

/**
 * A mail is lost, and so is an event that its receiver never takes while it takes others. Where it takes none, the
 * event waits with all others of its organization until somebody has them tried again; after a fault of ours it is
 * tried again by itself.
 */
async function giveUp(task: Task, context: Context, error: unknown): Promise<void> {
  const { d1, nowMs } = context
  const notice = Notice.safeParse(task.payload).data
  if (notice === undefined || isMail(notice)) {
    await d1.batch(settleRepeated(d1, task, nowMs()))
    return
  }
  if (!(error instanceof EventNotTaken)) {
    // Counted as one that has failed, so that it is among those that somebody has tried again.
    await retryTask(d1, task, { attempts: 1, nextAttemptAt: nowMs() + FAULT_PAUSE_MS, busySince: null })
    return
  }
  const { orgId } = readNoticeId(task.subjectId)
  if (await takesOthers(context, orgId, error)) {
    logLine('warn', 'task', { outcome: 'refused', code: error.code, cause: 'The receiver takes other events.' })
    await d1.batch(settleRepeated(d1, task, nowMs()))
    return
  }
  const { url, reason } = error
  await noteNotTaken(d1, { orgId, url, reason, isLast: true, nowMs: nowMs() })
  await retryTask(d1, task, { attempts: 0, nextAttemptAt: nowMs(), busySince: null })
}

/** The task of sending a notice. */
export const NOTIFY_HANDLER: TaskHandler = {
  subject: NOTICE_SUBJECT,
  perInvocation: 6,
  isWatched: false,
  wakesBusy: false,
  run: notify,
  onGiveUp: giveUp,
  traceOf: () => ({}),
}
