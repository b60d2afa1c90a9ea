import type { NewStepReport } from '#contract/feedback/step-report.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Photo } from '#worker/domain/image/photo.ts'
import { isOverLimit } from '#worker/domain/learning/learning-store.ts'
import { publishDanger } from '#worker/domain/live/publish.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { takesReports } from '#worker/domain/module/module-list-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { openLearnerView } from '#worker/domain/version/learner-view.ts'
import { photoKey, putPhoto, readPhoto } from './report-photo.ts'
import { listReportUses } from './step-report-limits.ts'
import { findReport, insertReport, isIgnored, type StepReportRow } from './step-report-store.ts'

/** What is over the limit of a day comes again after this time; the day may have ended by then. */
const OVER_RETRY_S = 1_800

/** A report, and who sends it from where. */
interface SentStepReport {
  report: Omit<NewStepReport, 'learner'>
  learnerId: string
  /** The results of `networkOf` and `siteOf`. */
  network: string | null
  site: string | null
}

/**
 * Keeps what a learner reports from a step, and tells owners of a danger at once. A report that comes again changes
 * nothing, nor does one of a device that the trainer ignores, which is not told so.
 * @throws {AppError} not_found where the module takes no reports, unsupported_media_type, payload_too_large, quota_reached
 */
export async function reportStep(
  context: Context,
  module: ModuleRow,
  { report, learnerId, network, site }: SentStepReport,
): Promise<void> {
  if (!takesReports(module)) throw moduleNotFound()
  const { db, d1, bucket, secrets } = context
  const { id, kind, text } = report
  const photo = readPhoto(report.photo ?? null)
  const known = await findReport(db, module.id, id)
  if (known !== null) return completePhoto(bucket, known, { learnerId, photo })
  const nowMs = context.nowMs()
  const day = dayOf(nowMs)
  const uses = await listReportUses(secrets, { moduleId: module.id, learnerId, network, site, day })
  const stepId = await findStepId(context, module, report.stepId)
  const row = {
    moduleId: module.id,
    id,
    stepId,
    kind,
    text,
    photoType: photo?.type ?? null,
    learnerId,
    createdAt: nowMs,
  }
  if (await insertReport(d1, row, { day, uses })) {
    // After its row: a photo that lies in the bucket is always known of.
    if (photo !== null) await putPhoto(bucket, row, photo)
    if (kind === 'dangerous') await publishDanger(context, module)
  } else if (!(await isIgnored(db, module.id, learnerId)) && (await isOverLimit(d1, day, uses))) {
    const message = 'Very much was reported today, here or in your network. Your report is kept here and sent later.'
    throw new AppError('quota_reached', message, { retryAfterS: OVER_RETRY_S })
  }
}

/** Sends after the photo of a report whose first call broke off behind its row. */
async function completePhoto(
  bucket: R2Bucket,
  row: StepReportRow,
  { learnerId, photo }: { learnerId: string; photo: Photo | null },
): Promise<void> {
  if (photo === null || row.photoType !== photo.type || row.learnerId !== learnerId) return
  // Written once: a call that is repeated all day costs reads only.
  if ((await bucket.head(photoKey(row))) === null) await putPhoto(bucket, row, photo)
}

/** Only steps that learners can see: invented ones would be an entry each on the trainer's list. */
async function findStepId(context: Context, module: ModuleRow, stepId: string): Promise<string | null> {
  const isIt = ({ id }: { id: string }) => id === stepId
  if ((await listSteps(context.db, module.id)).some(isIt)) return stepId
  if (module.publishedVersion === null) return null
  const shown = await (await openLearnerView(context, module)).readSteps()
  return shown.some(isIt) ? stepId : null
}
