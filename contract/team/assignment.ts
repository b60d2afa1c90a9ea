import { z } from 'zod'
import { ASSIGNED_PEOPLE_MAX, GROUPS_MAX, IMPORT_ROWS_MAX } from '../limits.ts'
import { Success } from '../problem.ts'
import { DoneRule } from '../records/training-record.ts'
import { PersonNameText } from './people.ts'

const Id = z.string().min(1).max(64)

/** Until when something is to be done: a day in the time zone of the organization, or so many days after it is assigned. */
export const DueRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('day'), day: z.iso.date() }),
  z.strictObject({ kind: z.literal('days'), days: z.number().int().min(1).max(3_650) }),
])
export type DueRule = z.infer<typeof DueRule>

/** What is assigned: one training, or all trainings of a collection. */
const Subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('training'), id: Id }),
  z.strictObject({ kind: z.literal('collection'), id: Id }),
])

/** Body of `POST /api/assignments`. */
export const NewAssignment = z.strictObject({
  subject: Subject,
  groupIds: z.array(Id).max(GROUPS_MAX),
  personIds: z.array(Id).max(ASSIGNED_PEOPLE_MAX),
  rule: DoneRule,
  due: DueRule.nullable(),
  everyMonths: z.number().int().min(1).max(120).nullable(),
  /** Whether what was done before it was made counts, too. */
  countsEarlier: z.boolean().default(false),
  /** What the caller is called, for the record; as the sign-in service has it. */
  byName: PersonNameText,
  /** IANA name of the time zone of the browser. It becomes that of an organization without one. */
  timeZone: z.string().max(64),
})
export type NewAssignment = z.infer<typeof NewAssignment>

/** What is asked of whom. */
export const Assignment = z.object({
  id: z.string(),
  subject: Subject,
  /** Of the training or the collection; null when it is gone. */
  title: z.string().nullable(),
  groupIds: z.array(z.string()),
  personIds: z.array(z.string()),
  /** People who have not left: those named, and those of the groups. */
  people: z.number().int(),
  rule: DoneRule,
  /** ISO 8601, UTC: the end of the day. */
  dueAt: z.string().nullable(),
  dueDays: z.number().int().nullable(),
  everyMonths: z.number().int().nullable(),
  countsEarlier: z.boolean().default(false),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
})
export type Assignment = z.infer<typeof Assignment>

/** Answer of `GET /api/assignments`: those that are open, the newest first. */
export const AssignmentsAnswer = Success.extend({ assignments: z.array(Assignment) })
export type AssignmentsAnswer = z.infer<typeof AssignmentsAnswer>

/** Body of `POST /api/assignments/settle`: people whose groups have changed. */
export const SettleRequest = z.strictObject({ personIds: z.array(Id).max(IMPORT_ROWS_MAX) })

/** Answer of the calls that assign and take back: what they leave for the next call. */
export const SettleAnswer = Success.extend({
  /** The assignment that is not finished; null for changes of people. */
  id: z.string().nullable(),
  /** People × trainings that are still to be recorded: call `settle` again until it is 0. */
  left: z.number().int(),
})
export type SettleAnswer = z.infer<typeof SettleAnswer>
