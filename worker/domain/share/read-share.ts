import type { ShareAnswer } from '#contract/share.ts'
import type { Db } from '#worker/db/db.ts'
import { issuePosterUrl } from '#worker/domain/live/issue-ticket.ts'
import { getSharedModule } from '#worker/domain/module/get-module.ts'
import { uploadPercentOf } from '#worker/domain/module/present-module.ts'
import { presentSharedStep } from '#worker/domain/step/present-step.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'

/**
 * A module as anyone with the link sees it.
 * @param secret signs what opens its poster
 * @throws {AppError} not_found also when sharing is off
 */
export async function readShare(
  { db, secret, nowMs }: { db: Db; secret: string; nowMs: number },
  moduleId: string,
): Promise<ShareAnswer> {
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
      posterUrl: await issuePosterUrl(secret, { module, role: 'viewer', nowMs }),
      steps: rows.map(presentSharedStep),
    },
  }
}
