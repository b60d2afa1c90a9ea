import type { LearningExportRequest } from '#contract/learning.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { streamText } from '#worker/domain/stream-text.ts'
import { type ExportedModule, writeLearnerLines } from './learner-lines.ts'
import { readCounts } from './metrics-store.ts'
import { openPseudonyms } from './pseudonym.ts'
import { writeStatements } from './xapi-statements.ts'

interface ExportDeps {
  d1: D1Database
  /** Of which pseudonyms are made. */
  secret: string
  /** Where this Adapt is reached. */
  origin: string
}

/** What is known of a module's learners, as a file that is read and written some learners at a time. */
export async function exportLearning(
  { d1, secret, origin }: ExportDeps,
  module: ModuleRow,
  format: LearningExportRequest['format'],
): Promise<ReadableStream<Uint8Array>> {
  const pseudonymise = await openPseudonyms(secret, module.id)
  const exported: ExportedModule = {
    id: module.id,
    title: module.title,
    durationS: (module.durationMs ?? 0) / 1000,
    completionPercent: module.completionPercent,
    steps: (await readCounts(d1, module.id)).steps,
  }
  if (format === 'csv') return streamText(writeLearnerLines({ d1, pseudonymise }, exported))
  return streamText(writeStatements({ d1, pseudonymise, origin }, exported))
}
