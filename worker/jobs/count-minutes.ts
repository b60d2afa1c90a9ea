import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { takeMinutes } from '#worker/domain/quota/take-quota.ts'
import { AppError } from '#worker/errors.ts'
import type { JobDeps } from './job.ts'

/**
 * Counts a video's true length, which may be another one than its browser told; nothing where its words are captions,
 * for nothing is heard then.
 * @throws {AppError} module_failed when it is too much for today
 */
export async function countMinutes(deps: JobDeps, module: ModuleRow, durationMs: number): Promise<void> {
  if (module.transcriptSource === 'captions') return
  try {
    await takeMinutes(deps, module, durationMs)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'quota_reached')) throw error
    throw new AppError('module_failed', `${error.message} Your video is kept: process it again then.`, {
      failure: 'minutes_quota',
      cause: error,
    })
  }
}
