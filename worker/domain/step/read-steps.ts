import type { ModuleRole } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { Db } from '#worker/db/db.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { readTranscriptText } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import { presentStep } from './present-step.ts'
import { listSteps } from './step-store.ts'

/**
 * The steps that exist so far, with the transcript as text.
 * @throws {AppError} steps_not_ready, processing_failed, steps_not_found, when there is no step yet
 */
export async function readSteps(db: Db, module: ModuleRow, role: ModuleRole): Promise<StepsAnswer> {
  const rows = await listSteps(db, module.id)
  if (rows.length === 0) throw noSteps(module, role)
  return answerSteps(db, module, role)
}

/** The list as it is, also when it is empty. */
export async function answerSteps(db: Db, module: ModuleRow, role: ModuleRole): Promise<StepsAnswer> {
  const rows = await listSteps(db, module.id)
  return {
    success: true,
    steps: rows.map((row) => presentStep(row, role)),
    transcript: await readTranscriptText(db, module.id),
    meta: {
      durationSec: module.durationMs === null ? null : module.durationMs / 1000,
      version: module.stepsVersion,
      editedVersion: module.editedVersion,
      transcriptSource: module.transcriptSource,
    },
  }
}

function noSteps(module: ModuleRow, role: ModuleRole): AppError {
  if (module.status === 'PROCESSING') {
    return new AppError('steps_not_ready', 'Steps not ready yet - module still processing')
  }
  if (module.status === 'FAILED') {
    const reason = role === 'owner' ? module.lastError : null
    return new AppError('processing_failed', `Processing failed: ${reason ?? 'the trainer can see the reason'}`)
  }
  return new AppError('steps_not_found', 'Steps not found - module processing may have failed')
}
