import type { Context } from '#worker/core/context.ts'
import { removeAnswers } from '#worker/domain/answer/answer-store.ts'
import { removeFeedback } from '#worker/domain/feedback/feedback-store.ts'
import { imagesOf } from '#worker/domain/image/image.ts'
import { removeImages } from '#worker/domain/image/image-store.ts'
import { removeLearning } from '#worker/domain/learning/learning-store.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { findSource, forgetDeleted, keepPlace, takeErasable } from '#worker/domain/module/deleted-store.ts'
import { removeInvitations } from '#worker/domain/module/invitation-store.ts'
import { removeReplacedLinks } from '#worker/domain/module/link-store.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { earlyIndexKey } from '#worker/domain/module/serve-source.ts'
import { smallCopiesOf } from '#worker/domain/module/small-copy.ts'
import { removeOpened } from '#worker/domain/opened/opened-store.ts'
import { refundDue } from '#worker/domain/quota/quota-store.ts'
import { isRecorded } from '#worker/domain/record/recorded-versions.ts'
import { chunksOf } from '#worker/domain/run/chunk-store.ts'
import { removeRuns } from '#worker/domain/run/run-store.ts'
import { removeScreenCorrections } from '#worker/domain/screen/screen-corrections.ts'
import { screensOf } from '#worker/domain/screen/screen-reading.ts'
import { removePassages } from '#worker/domain/search/passage-store.ts'
import { removeSteps } from '#worker/domain/step/step-store.ts'
import { photosOf } from '#worker/domain/step-report/report-photo.ts'
import { removeStepReports } from '#worker/domain/step-report/step-report-store.ts'
import { removeAllCorrections, transcriptsOf } from '#worker/domain/transcript/transcript-store.ts'
import { removeTranslations } from '#worker/domain/translation/translation-store.ts'
import { removeQuestions } from '#worker/domain/tutor/turn-store.ts'
import { abortParts } from '#worker/domain/upload/upload-parts.ts'
import { removeUploadParts } from '#worker/domain/upload/upload-store.ts'
import { removeChecks } from '#worker/domain/version/due-reviews.ts'
import { removeComments } from '#worker/domain/version/review-comments.ts'
import { removeReview } from '#worker/domain/version/review-store.ts'
import { versionsOf } from '#worker/domain/version/version-objects.ts'
import { removeVersions } from '#worker/domain/version/version-store.ts'

/**
 * Removes all that the bucket holds of a module: its video with its small copy, the audio cut out of it, its images,
 * photos of reports and transcripts.
 * @returns false while the bucket has not let go of what had arrived of the video
 */
export async function removeModuleObjects(
  bucket: R2Bucket,
  module: Pick<ModuleRow, 'id' | 'sourceKey' | 'uploadId'>,
): Promise<boolean> {
  const isAborted = await abortParts(bucket, module)
  await bucket.delete([module.sourceKey, earlyIndexKey(module.sourceKey)])
  for (const placeOf of [smallCopiesOf, chunksOf, imagesOf, photosOf, screensOf, transcriptsOf])
    await removeObjects(bucket, placeOf(module.id))
  return isAborted
}

/**
 * Removes a deleted module for good: what the search finds of it, its objects, what its room kept, and every row. Versions that training records are about stay as long as these. Its own row goes last, so that an erasure that broke off, or is too large for one call, is retried.
 * @returns false while there is more of it, or the bucket has not let go of what had arrived
 */
export async function eraseModule(
  { db, bucket, rooms, search }: Pick<Context, 'db' | 'bucket' | 'rooms' | 'search'>,
  module: Pick<ModuleRow, 'id' | 'sourceKey' | 'uploadId'>,
): Promise<boolean> {
  const { id } = module
  await removePassages(search, [id])
  if (!(await removeModuleObjects(bucket, module))) return false
  await roomOf({ rooms }, id).forget()
  for (const remove of [
    removeUploadParts,
    removeRuns,
    removeSteps,
    removeImages,
    removeAllCorrections,
    removeScreenCorrections,
    removeTranslations,
    removeReplacedLinks,
    removeInvitations,
    removeReview,
    removeComments,
    removeChecks,
    removeAnswers,
  ])
    await remove(db, id)
  for (const removeSome of [removeFeedback, removeLearning, removeQuestions, removeStepReports, removeOpened]) {
    if (await removeSome(db, id)) continue
    await keepPlace(db, id)
    return false
  }
  if (!(await isRecorded(db, id))) {
    await removeObjects(bucket, versionsOf(id))
    await removeVersions(db, id)
  }
  await forgetDeleted(db, id)
  return true
}

/** Modules that one sweep erases: each takes some twenty calls of the thousand that an invocation may make. */
export const ERASED_PER_SWEEP = 20

/** Claims deleted modules that are to be removed for good now. */
export function takeToErase({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>) {
  return takeErasable(db, nowMs(), ERASED_PER_SWEEP)
}

/**
 * Refunds what is due of an upload, after its addresses have expired, and removes what was sent to them for nothing: a
 * file that was refused, or one that took the place of the video that was received.
 */
export async function settleRefund(
  { db, d1, bucket, nowMs }: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  { moduleId }: { moduleId: string },
): Promise<void> {
  const source = await findSource(db, moduleId)
  if (source !== null) {
    const stored = await bucket.head(source.sourceKey)
    if (stored !== null && stored.etag !== source.sourceEtag) await bucket.delete(source.sourceKey)
  }
  await refundDue(d1, moduleId, nowMs())
}
