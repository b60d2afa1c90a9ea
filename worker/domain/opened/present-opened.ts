import type { OpenedModule } from '#contract/opened-module.ts'
import type { OpenedModuleRow } from './opened-store.ts'

/** Presents an opened module as its viewer sees it. `posterUrl` was issued for a viewer. */
export function presentOpened(row: OpenedModuleRow, posterUrl: string | null): OpenedModule {
  return {
    id: row.id,
    title: row.title,
    openedAt: new Date(row.openedAt).toISOString(),
    trainingUrl: `/training/${row.id}`,
    posterUrl,
    totalDuration: row.durationMs === null ? null : row.durationMs / 1000,
    seenSeconds: row.seenSeconds ?? 0,
    completedAt: row.completedAt === null ? null : new Date(row.completedAt).toISOString(),
  }
}
