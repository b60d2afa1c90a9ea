import { openDb } from '#worker/db/db.ts'
import { type ModuleRow, makeModuleUpdate } from '#worker/domain/module/module-store.ts'
import { secondsToComplete } from './apply-report.ts'
import { makeRecount } from './learning-store.ts'

/** Changes what share of a video makes it completed, and who has completed it, in one transaction. */
export async function setThreshold(
  d1: D1Database,
  { id, durationMs }: Pick<ModuleRow, 'id' | 'durationMs'>,
  { completionPercent, nowMs }: { completionPercent: number; nowMs: number },
): Promise<void> {
  const neededS = secondsToComplete({ durationS: (durationMs ?? 0) / 1000, completionPercent })
  const { sql, params } = makeModuleUpdate(openDb(d1), id, { completionPercent }).toSQL()
  await d1.batch([d1.prepare(sql).bind(...params), ...makeRecount(d1, id, { neededS, nowMs })])
}
