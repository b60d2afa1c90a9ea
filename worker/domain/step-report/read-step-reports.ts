import type { SettledAnswer, StepReportsAnswer } from '#contract/feedback/step-report.ts'
import { REPORT_ENTRIES_MAX } from '#contract/limits.ts'
import type { Db } from '#worker/db/db.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { listSettled, readOpenReports } from './step-report-store.ts'

/** What learners report from the steps of a module, for its owner. The same of one step is one entry. */
export async function readStepReports(d1: D1Database, moduleId: string): Promise<StepReportsAnswer> {
  const { entries, shown } = await readOpenReports(d1, moduleId, REPORT_ENTRIES_MAX)
  const byEntry = Map.groupBy(shown, ({ stepId, kind }) => `${kind} ${stepId}`)
  return {
    success: true,
    entries: entries.map(({ stepId, kind, count, lastAt }) => {
      const reports = (byEntry.get(`${kind} ${stepId}`) ?? []).map(({ id, text, photoType, createdAt }) => {
        return { id, text, hasPhoto: photoType !== null, reportedAt: toIso(createdAt) }
      })
      return { stepId, kind, count, lastAt, reports }
    }),
    hidden: Math.max(0, entries[0]?.hidden ?? 0),
  }
}

/** What has become of a device's own reports. */
export async function readSettled(db: Db, moduleId: string, ids: readonly string[]): Promise<SettledAnswer> {
  const settled = await listSettled(db, moduleId, ids)
  return {
    success: true,
    settled: settled.map(({ settledAt, ...report }) => ({ ...report, settledAt: toIso(settledAt ?? 0) })),
  }
}
