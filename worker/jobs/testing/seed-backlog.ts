import { readyModule } from '#local/testing/ready-module.ts'
import { openDb } from '#worker/db/db.ts'
import { insertErasure } from '#worker/domain/account/erasure-store.ts'
import { softDeleteModule } from '#worker/domain/module/deleted-store.ts'
import { insertModule, type NewModule } from '#worker/domain/module/module-store.ts'
import { addIngestTask } from '#worker/domain/run/run-task-store.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** So many people own what is planted. */
const OWNERS = 50
/** What an MP4 file begins with. */
const MP4_START = Uint8Array.from([
  0,
  0,
  0,
  0x14,
  ...new TextEncoder().encode('ftypisom'),
  0,
  0,
  2,
  0,
  0x69,
  0x73,
  0x6f,
  0x6d,
])

/** Queues and rooms that begin nothing, so that a sweep alone works on what was planted. */
export function silent(env: Env): Env {
  const queue = { send: async () => undefined } as unknown as Queue
  const room = new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : async () => undefined) })
  const rooms = { idFromName: (name: string) => name, get: () => room, getByName: () => room }
  const queues = {
    INGEST_QUEUE: queue,
    SPEECH_QUEUE: queue,
    STEPS_QUEUE: queue,
    TRANSLATE_QUEUE: queue,
    NOTICE_QUEUE: queue,
  }
  return { ...env, ...queues, PURGE_QUEUE: queue, MODULE_ROOM: rooms as unknown as Env['MODULE_ROOM'] }
}

/** What an outage leaves to the sweep: so many of everything that it looks after, or of some kinds of modules alone. */
export async function seedBacklog(
  { DB: d1, MEDIA: bucket }: Pick<Env, 'DB' | 'MEDIA'>,
  { count, nowMs, kinds }: { count: number; nowMs: number; kinds?: string[] },
): Promise<void> {
  const db = openDb(d1)
  const plant = async (kind: string, fields: Partial<NewModule>, act?: (module: NewModule) => Promise<unknown>) => {
    if (kinds?.includes(kind) === false) return
    const seedOne = async (at: number) => {
      const module = readyModule({ id: `${kind}-${at}`, userId: `user_${at % OWNERS}`, ...fields })
      await insertModule(db, module)
      await act?.(module)
    }
    await Promise.all(Array.from({ length: count }, (_, at) => seedOne(at)))
  }
  const run = (sql: string, ...values: unknown[]) =>
    d1
      .prepare(sql)
      .bind(...values)
      .run()
  const addRun = ({ id }: NewModule, { endedAt, failure }: { endedAt?: number; failure?: string } = {}) =>
    run(
      `INSERT INTO runs (module_id, run, "trigger", started_at, admitted_at, ended_at, outcome, failure_code)
       VALUES (?, 1, 'upload', 0, 0, ?, ?, ?)`,
      id,
      endedAt ?? null,
      endedAt === undefined ? null : 'failed',
      failure ?? null,
    )
  const addAudio = async ({ id }: NewModule) => {
    const key = `chunks/${id}/1/0`
    await bucket.put(key, 'audio')
    await run(
      `INSERT INTO audio_chunks (module_id, run, chunk, key, content_type, audio_start_ms, audio_duration_ms, start_ms, end_ms)
       VALUES (?, 1, 0, ?, 'audio/mp4', 0, 30000, 0, 30000)`,
      id,
      key,
    )
  }

  const silentMs = nowMs - HOUR_MS
  await plant('late', { status: 'PROCESSING', updatedAt: silentMs }, async (module) => {
    await addRun(module)
    await addIngestTask(db, { moduleId: module.id, run: 1 }, { index: 0, nowMs: 0 })
  })
  const busy = { status: 'FAILED', failureCode: 'ai_busy', updatedAt: nowMs - 6 * HOUR_MS } as const
  await plant('busy', busy, async (module) => {
    await addRun(module, { endedAt: nowMs - 6 * HOUR_MS, failure: 'ai_busy' })
    await addAudio(module)
  })
  await run(`INSERT INTO outcomes (part, ok_at) VALUES ('speech', ?1) ON CONFLICT DO UPDATE SET ok_at = ?1`, nowMs)
  // Every second one has arrived without a notification.
  const unfinished = {
    status: 'PROCESSING',
    sourceEtag: null,
    sourceSizeBytes: null,
    receivedAt: null,
    run: 0,
  } as const
  await plant('awaited', { ...unfinished, createdAt: silentMs }, async ({ id, sourceKey }) => {
    if (Number(id.split('-')[1]) % 2 === 0) await bucket.put(sourceKey, MP4_START)
  })
  await plant('abandoned', { ...unfinished, createdAt: nowMs - 2 * DAY_MS })
  await plant('refund', { indexedVersion: 0 }, ({ id, userId }) =>
    run(
      `INSERT INTO quota_uses (module_id, kind, day, user_id, amount, refund_at, refund) VALUES (?, 'bytes', ?, ?, 9, ?, 5)`,
      id,
      new Date(nowMs).toISOString().slice(0, 10),
      userId,
      silentMs,
    ),
  )
  await plant('account', { indexedVersion: 0, createdAt: silentMs }, async ({ id }) => {
    const userId = `gone_${id}`
    await run('UPDATE modules SET user_id = ? WHERE id = ?', userId, id)
    await insertErasure(db, userId, nowMs)
  })
  await plant('deleted', {}, async (module) => {
    await bucket.put(module.sourceKey, 'video')
    await softDeleteModule(db, module.id, { nowMs: nowMs - 8 * DAY_MS, kind: 'restorable' })
  })
  await plant('unindexed', { indexedVersion: -1 })
  const expiredMs = nowMs - 7 * DAY_MS - HOUR_MS
  await plant('expired', { status: 'FAILED', failureCode: 'gave_up', updatedAt: expiredMs }, async (module) => {
    await addRun(module, { endedAt: expiredMs, failure: 'gave_up' })
    await addAudio(module)
  })
  if (kinds !== undefined) return
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)`
  const rows = [
    `INSERT INTO step_images (module_id, name, content_type, size_bytes, unused_since)
     ${numbers} SELECT 'refund-0', 'step-' || i, 'image/jpeg', 1, ?2 FROM n`,
    `INSERT INTO questions (id, module_id, user_id, turn_id, question, created_at)
     ${numbers} SELECT 'turn-' || i, 'refund-0', 'user_1', i, 'Why?', ?2 FROM n`,
    `INSERT INTO tutor_days (module_id, day, model_answers) ${numbers} SELECT 'old-' || i, '2020-01-01', ?2 > 0 FROM n`,
    `INSERT INTO quota_uses (module_id, kind, day, user_id, amount)
     ${numbers} SELECT 'old-' || i, 'ai', '2020-01-01', 'x', ?2 > 0 FROM n`,
    `INSERT INTO learning_uses (day, who, learners, reports) ${numbers} SELECT '2020-01-01', 'w' || i, 1, ?2 > 0 FROM n`,
    `INSERT INTO erased_learners (who, erased_at) ${numbers} SELECT 'e' || i, ?2 > 0 FROM n`,
    `INSERT INTO glossaries (org_id, words, updated_at) ${numbers} SELECT 'org_' || i, 'Valve', ?2 > 0 FROM n`,
  ]
  await d1.batch(rows.map((sql) => d1.prepare(sql).bind(count, nowMs - 2 * HOUR_MS)))
}

/** How much of {@link seedBacklog} is left, by kind; kinds without any are left out. */
export async function countBacklog(d1: D1Database): Promise<Record<string, number>> {
  const moduleIs = (id: string, where: string) => `SELECT count(*) FROM modules WHERE id LIKE '${id}-%' AND ${where}`
  const counts: Record<string, string> = {
    late: moduleIs('late', "redrives = 0 AND run_status = 'PROCESSING'"),
    busy: moduleIs('busy', "run_status = 'FAILED'"),
    arrived: moduleIs('awaited', "substr(id, -1) IN ('0', '2', '4', '6', '8') AND run = 0"),
    abandoned: "SELECT count(*) FROM modules WHERE id LIKE 'abandoned-%'",
    refund: "SELECT count(*) FROM quota_uses WHERE refund_at IS NOT NULL AND refund > 0 AND module_id LIKE 'refund-%'",
    // With their modules, which rest for half an hour first, the accounts themselves go.
    accounts: "SELECT count(*) FROM modules WHERE user_id LIKE 'gone_%'",
    deleted: "SELECT count(*) FROM deleted_modules WHERE id LIKE 'deleted-%'",
    unindexed: "SELECT count(*) FROM modules WHERE status = 'READY' AND indexed_version <> steps_version",
    expired: "SELECT count(*) FROM audio_chunks WHERE module_id LIKE 'expired-%'",
    images: 'SELECT count(*) FROM step_images WHERE unused_since IS NOT NULL',
    turns: 'SELECT count(*) FROM questions WHERE outcome IS NULL',
    days: "SELECT count(*) FROM tutor_days WHERE day = '2020-01-01'",
    uses: "SELECT count(*) FROM quota_uses WHERE day = '2020-01-01'",
    learning: "SELECT count(*) FROM learning_uses WHERE day = '2020-01-01'",
    tokens: "SELECT count(*) FROM erased_learners WHERE who LIKE 'e%' AND erased_at = 1",
  }
  const left: Record<string, number> = {}
  for (const [kind, sql] of Object.entries(counts)) {
    const rows = (await d1.prepare(sql).first<Record<string, number>>()) ?? {}
    const [value = 0] = Object.values(rows)
    if (value > 0) left[kind] = value
  }
  return left
}
