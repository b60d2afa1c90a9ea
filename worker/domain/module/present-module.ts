import type { Module, ModuleRole } from '#contract/module.ts'
import type { ModuleCardRow } from './module-list-store.ts'
import type { ModuleRow } from './module-store.ts'

/** A module as the wire shows it to a caller of this role. `posterUrl` is as it was issued for that role. */
export function presentModule(
  row: ModuleCardRow,
  role: ModuleRole,
  { posterUrl, mayDelete }: Pick<Module, 'posterUrl' | 'mayDelete'>,
): Module {
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
    uploadPercent: uploadPercentOf(row),
    posterUrl,
    userId: owned ? row.userId : null,
    role,
    mayDelete,
    shared: row.shared,
    trainingUrl: `/training/${row.id}`,
    shareUrl: `/share/${row.id}`,
    transcriptSource: row.transcriptSource,
    stepsVersion: row.stepsVersion,
  }
}

/** Percent of a module's video that has arrived; 99 at most until the server has checked all of it. */
export function uploadPercentOf(row: Pick<ModuleRow, 'sourceEtag' | 'uploadedBytes' | 'declaredSizeBytes'>): number {
  if (row.sourceEtag !== null) return 100
  const share = row.uploadedBytes / Math.max(1, row.declaredSizeBytes ?? 0)
  return Math.min(99, Math.floor(100 * share))
}
