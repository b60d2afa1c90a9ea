import type { ShareAnswer } from '#contract/share.ts'
import { sharedCaptionsPath, sharedPosterPath } from '#contract/share-page.ts'
import { writeVtt } from '#media/write-captions.ts'
import type { Db } from '#worker/db/db.ts'
import { getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { uploadPercentOf } from '#worker/domain/module/present-module.ts'
import { presentSharedStep } from '#worker/domain/step/present-step.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { listSegments } from '#worker/domain/transcript/transcript-store.ts'

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
      captionsUrl: hasCaptions(module) ? sharedCaptionsPath(module.id) : null,
      stepsVersion: module.stepsVersion,
      steps: rows.map(presentSharedStep),
    },
  }
}

/** While it is made, the transcript still grows. */
function hasCaptions(module: ModuleRow): boolean {
  return module.transcriptRun !== null && module.status !== 'PROCESSING'
}

/**
 * What is said in a module's video, for anyone with the link, as a WebVTT file.
 * @throws {AppError} not_found also when sharing is off and while there is nothing to show
 */
export async function readCaptions(db: Db, moduleId: string): Promise<string> {
  const module = await getSharedModule(db, moduleId)
  if (!hasCaptions(module)) throw moduleNotFound()
  const segments = await listSegments(db, module.id)
  return writeVtt(segments.map(({ startMs, endMs, text }) => ({ start: startMs / 1000, end: endMs / 1000, text })))
}
