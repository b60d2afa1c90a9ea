import type { Db } from '#worker/db/db.ts'
import { removeFeedback } from '#worker/domain/feedback/feedback-store.ts'
import { removeLearning } from '#worker/domain/learning/learning-store.ts'
import { removePictures } from '#worker/domain/picture/picture-store.ts'
import { removeParts } from '#worker/domain/run/part-store.ts'
import { removeRunObjects } from '#worker/domain/run/remove-run-objects.ts'
import { removeRuns } from '#worker/domain/run/run-store.ts'
import { removeStretches } from '#worker/domain/run/stretch-store.ts'
import { removeSteps } from '#worker/domain/step/step-store.ts'
import { removeTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { removeQuestions } from '#worker/domain/tutor/turn-store.ts'
import { abortParts } from '#worker/domain/upload/abort-parts.ts'
import { removeUploadParts } from '#worker/domain/upload/upload-store.ts'
import { type ModuleRow, removeModule } from './module-store.ts'

/**
 * Removes a module for good: its video, the sound cut out of it, its pictures, and every row. The module's own row goes last, so that
 * one that broke off is taken up again.
 */
export async function eraseModule(deps: { db: Db; bucket: R2Bucket }, module: ModuleRow): Promise<void> {
  const { db, bucket } = deps
  await abortParts(bucket, module)
  await bucket.delete(module.sourceKey)
  await removeRunObjects(bucket, module.id)
  await removePictures(bucket, module.id)
  await removeUploadParts(db, module.id)
  await removeParts(db, module.id)
  await removeStretches(db, module.id)
  await removeRuns(db, module.id)
  await removeSteps(db, module.id)
  await removeTranscript(db, module.id)
  await removeFeedback(db, module.id)
  await removeLearning(db, module.id)
  await removeQuestions(db, module.id)
  await removeModule(db, module.id)
}
