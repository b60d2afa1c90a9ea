import type { Db } from '#worker/db/db.ts'
import { removeParts } from '#worker/domain/run/part-store.ts'
import { removeRuns } from '#worker/domain/run/run-store.ts'
import { removeSteps } from '#worker/domain/step/step-store.ts'
import { removeTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { type ModuleRow, removeModule } from './module-store.ts'

/**
 * Removes a module for good: its video, the sound cut out of it, and every row. The module's own row goes last, so that
 * one that broke off is taken up again.
 */
export async function eraseModule(deps: { db: Db; bucket: R2Bucket }, module: ModuleRow): Promise<void> {
  const { db, bucket } = deps
  await bucket.delete(module.sourceKey)
  await eraseObjects(bucket, `parts/${module.id}/`)
  await removeParts(db, module.id)
  await removeRuns(db, module.id)
  await removeSteps(db, module.id)
  await removeTranscript(db, module.id)
  await removeModule(db, module.id)
}

async function eraseObjects(bucket: R2Bucket, prefix: string): Promise<void> {
  for (let more = true; more; ) {
    const { objects, truncated } = await bucket.list({ prefix })
    if (objects.length > 0) await bucket.delete(objects.map((object) => object.key))
    more = truncated
  }
}
