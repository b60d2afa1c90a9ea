import { z } from 'zod'
import { LearnerToken } from '../learning.ts'
import { ASKED_REPORTS_MAX, REPORT_MAX_CHARS, REPORT_PHOTO_MAX_BYTES } from '../limits.ts'
import { Success } from '../problem.ts'
import { StepId } from '../step.ts'

/** What is wrong with a step, in the order in which it is shown. */
export const StepReportKind = z.enum(['dangerous', 'wrong', 'unclear', 'different'])
export type StepReportKind = z.infer<typeof StepReportKind>

/** In Base64, four letters stand for three bytes. */
const PHOTO_MAX_CHARS = Math.ceil(REPORT_PHOTO_MAX_BYTES / 3) * 4

/** Random, made by the device, so that a report that is sent again counts once. Nobody else knows it but the owner. */
export const ReportId = z.string().regex(/^[\w-]{16,64}$/, 'must be 16 to 64 letters, digits, - or _')

const line = z
  .string()
  .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  .pipe(z.string().max(REPORT_MAX_CHARS))

/** Body of `POST /api/step-reports/{id}`. Repeating it changes nothing. */
export const NewStepReport = z.strictObject({
  id: ReportId,
  stepId: StepId,
  kind: StepReportKind,
  text: line.default(''),
  /** Base64 of a JPEG or WebP. */
  photo: z.base64().max(PHOTO_MAX_CHARS).nullish(),
  /** Who reports, where no bearer token says it. */
  learner: LearnerToken.optional(),
})
export type NewStepReport = z.infer<typeof NewStepReport>

/** Query of `GET /api/step-reports/{id}/settled`: reports of this device, with commas between. */
export const SettledRequest = z.object({
  ids: z
    .string()
    .transform((ids) => ids.split(','))
    .pipe(z.array(ReportId).min(1).max(ASKED_REPORTS_MAX)),
})

/** Answer of `GET /api/step-reports/{id}/settled`: those of the asked reports that the trainer is done with. */
export const SettledAnswer = Success.extend({
  settled: z.array(
    z.object({
      id: z.string(),
      /** ISO 8601, UTC. */
      settledAt: z.string(),
      /** What the trainer says; empty for nothing. */
      answer: z.string(),
    }),
  ),
})
export type SettledAnswer = z.infer<typeof SettledAnswer>

/** What devices reported of one kind about one step. It never says who. */
export const StepReportEntry = z.object({
  /** Null: about steps that are gone. */
  stepId: z.string().nullable(),
  kind: StepReportKind,
  /** How many devices. */
  count: z.number().int(),
  /** When it was last reported, epoch milliseconds: what comes later is not settled with it. */
  lastAt: z.number().int(),
  /** The newest that say or show something, then the newest of other devices, without text and photo. */
  reports: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      hasPhoto: z.boolean(),
      /** ISO 8601, UTC. */
      reportedAt: z.string(),
    }),
  ),
})
export type StepReportEntry = z.infer<typeof StepReportEntry>

/** Answer of `GET /api/step-reports/{id}`: what is open, dangers first, then what most devices report. Owners only. */
export const StepReportsAnswer = Success.extend({
  entries: z.array(StepReportEntry),
  /** Entries that are left out. */
  hidden: z.number().int(),
})
export type StepReportsAnswer = z.infer<typeof StepReportsAnswer>

const EntryName = z.strictObject({ stepId: StepId.nullable(), kind: StepReportKind })

/** Body of `POST /api/step-reports/{id}/settle`: an entry as its reader saw it, and what to say to who reported. */
export const SettleReports = EntryName.extend({ lastAt: z.number().int(), answer: line.default('') })
export type SettleReports = z.infer<typeof SettleReports>

/** Answer of `POST /api/step-reports/{id}/settle`: names what was settled, epoch milliseconds. */
export const SettleAnswer = Success.extend({ settledAt: z.number().int() })

/** Body of `POST /api/step-reports/{id}/reopen`: takes a settling back. */
export const ReopenReports = EntryName.extend({ settledAt: z.number().int() })
export type ReopenReports = z.infer<typeof ReopenReports>

/** Body of `PUT /api/step-reports/{id}/ignored`: nothing of the device that sent this report is shown, or again. */
export const IgnoreDevice = z.strictObject({ id: ReportId, isIgnored: z.boolean() })
export type IgnoreDevice = z.infer<typeof IgnoreDevice>

/** Answer of `GET /api/step-reports`: open reports of the caller's modules, dangers first; those without any are left out. */
export const ReportCountsAnswer = Success.extend({
  modules: z.array(
    z.object({ moduleId: z.string(), title: z.string(), open: z.number().int(), dangerous: z.number().int() }),
  ),
})
export type ReportCountsAnswer = z.infer<typeof ReportCountsAnswer>
