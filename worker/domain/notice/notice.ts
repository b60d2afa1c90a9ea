import { z } from 'zod'

const Id = z.string().min(1)
const OfTraining = { personId: Id, moduleId: Id }

/** What is told of an organization: what its task holds. All else is read when it is sent, as it is then. */
export const Notice = z.discriminatedUnion('kind', [
  /** A mail to a person about all that is due. */
  z.strictObject({ kind: z.literal('reminder'), personId: Id }),
  /** A mail to a person about all trainings of theirs whose version is to be looked at again. */
  z.strictObject({ kind: z.literal('review'), personId: Id }),
  /** A mail to a person whose question to the trainer was answered. */
  z.strictObject({ kind: z.literal('answer'), ...OfTraining, answerId: Id }),
  /** A mail about the end of the training records. */
  z.strictObject({ kind: z.literal('checkpoint_mail'), day: z.string(), seq: z.number().int(), hash: z.string() }),
  z.strictObject({ kind: z.literal('training.completed'), ...OfTraining, seq: z.number().int() }),
  z.strictObject({ kind: z.literal('training.signed_off'), ...OfTraining, seq: z.number().int() }),
  z.strictObject({ kind: z.literal('training.overdue'), ...OfTraining, dueMs: z.number().int() }),
  z.strictObject({ kind: z.literal('records.checkpoint'), day: z.string(), seq: z.number().int(), hash: z.string() }),
])
export type Notice = z.infer<typeof Notice>

const MAILS = ['reminder', 'review', 'answer', 'checkpoint_mail'] as const
type MailNotice = Extract<Notice, { kind: (typeof MAILS)[number] }>

/** What goes to a webhook. */
export type EventNotice = Exclude<Notice, MailNotice>

/** Whether a notice goes out as mail. */
export function isMail(notice: Notice): notice is MailNotice {
  return MAILS.some((kind) => kind === notice.kind)
}

/** Names a notice within its organization: one that still waits is not added again. */
export function nameNotice(notice: Notice): string {
  switch (notice.kind) {
    case 'reminder':
      return notice.personId
    case 'review':
      return `review-${notice.personId}`
    case 'answer':
      return `answer-${notice.answerId}-${notice.personId}`
    case 'checkpoint_mail':
    case 'records.checkpoint':
      return `checkpoint-${notice.day}`
    case 'training.overdue':
      return `overdue-${notice.personId}-${notice.moduleId}-${notice.dueMs}`
    case 'training.completed':
      return `completed-${notice.seq}`
    case 'training.signed_off':
      return `signed-off-${notice.seq}`
  }
}
