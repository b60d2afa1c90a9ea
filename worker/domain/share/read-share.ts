import type { ShareAnswer } from '#contract/share.ts'
import { sharedPosterPath } from '#contract/share-page.ts'
import type { Db } from '#worker/db/db.ts'
import { getSharedModule } from '#worker/domain/module/get-module.ts'
import { uploadPercentOf } from '#worker/domain/module/present-module.ts'
import { presentSharedStep } from '#worker/domain/step/present-step.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'

/**
 * A module as anyone with the link sees it.
 * @throws {AppError} not_found also when sharing is off
 */
export async function readShare(db: Db, moduleId: string): Promise<ShareAnswer> {
  const module = await getSharedModule(db, moduleId)
  const rows = await listSteps(db, module.id)
  return {
    success: true,
    module: {
      id: module.id,
      title: module.title,
      createdAt: new Date(module.createdAt).toISOString(),
      status: module.status,
      progress: module.progress,
      message: module.message,
      totalDuration: module.durationMs === null ? null : module.durationMs / 1000,
      hasVideo: module.sourceEtag !== null,
      uploadPercent: uploadPercentOf(module),
      posterUrl: module.hasPoster ? sharedPosterPath(module.id) : null,
      stepsVersion: module.stepsVersion,
      steps: rows.map(presentSharedStep),
    },
  }
}
