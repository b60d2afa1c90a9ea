import type { Module, ModuleRole } from '#contract/module.ts'
import type { ModuleRow } from './module-store.ts'

/** A module as the wire shows it to a caller of this role. */
export function presentModule(row: ModuleRow, role: ModuleRole): Module {
  const owned = role === 'owner'
  return {
    id: row.id,
    title: row.title,
    createdAt: new Date(row.createdAt).toISOString(),
    status: row.status,
    progress: row.progress,
    message: row.message,
    lastError: owned ? row.lastError : null,
    failureCode: owned ? row.failureCode : null,
    totalDuration: row.durationMs === null ? null : row.durationMs / 1000,
    hasVideo: row.sourceEtag !== null,
    userId: owned ? row.userId : null,
    role,
    shared: row.shared,
    trainingUrl: `/training/${row.id}`,
    shareUrl: `/share/${row.id}`,
    transcriptSource: row.transcriptSource,
    stepsVersion: row.stepsVersion,
  }
}
