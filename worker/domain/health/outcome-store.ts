import type { outcomes } from '#worker/db/operation-tables.ts'

/** Parts that are judged by how their work ended. Asking a model how it is would cost what it costs. */
export type WatchedPart = 'speech' | 'steps' | 'rewriter' | 'tutor' | 'sweep'

/** When a part's work last went well and when it last failed, epoch milliseconds. */
export type OutcomeRow = typeof outcomes.$inferSelect & { part: WatchedPart }

const UPSERT = `
  INSERT INTO outcomes (part, ok_at, failed_at, code) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (part) DO UPDATE SET ok_at = coalesce(?2, ok_at), failed_at = coalesce(?3, failed_at), code = coalesce(?4, code)`

/** Keeps how a part's latest work ended. @param outcome `code` is null where it went well */
export async function upsertOutcome(
  d1: D1Database,
  { part, code, nowMs }: { part: WatchedPart; code: string | null; nowMs: number },
): Promise<void> {
  const [okAt, failedAt] = code === null ? [nowMs, null] : [null, nowMs]
  await d1.prepare(UPSERT).bind(part, okAt, failedAt, code).run()
}

/** What is known of all parts; one that never did anything has no row. */
export async function listOutcomes(d1: D1Database): Promise<OutcomeRow[]> {
  const sql = 'SELECT part, ok_at AS okAt, failed_at AS failedAt, code FROM outcomes'
  return (await d1.prepare(sql).all<OutcomeRow>()).results
}
