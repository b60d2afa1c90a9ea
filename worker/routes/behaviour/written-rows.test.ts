// Behaviour: the most rows that a call of each route writes, against what it reserves.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CAPTION_CUES_MAX, CORRECTIONS_MAX, STEP_HARD_LIMITS, UPLOAD_URLS_MAX } from '#contract/limits.ts'
import { QuotaReached } from '#contract/problem.ts'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { PresignAnswer } from '#contract/upload.ts'
import { localServices } from '#local/local-services.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { createApp } from '#worker/create-worker.ts'
import { countD1, openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { addOfPerson } from '#worker/domain/quota/quota-store.ts'
import { rowsOfRun, UNITS } from '#worker/domain/quota/take-quota.ts'
import { chunkKey } from '#worker/domain/run/chunk-store.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { CALL_LIMITS } from '#worker/http/call-limits.ts'
import { openDriver, seedRun } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import type { OutlineTask } from '#worker/ports/language-model.ts'
import { countRows } from '../testing/count-rows.ts'

holdTasks()

vi.spyOn(console, 'log').mockImplementation(() => undefined)

/** What counting a call writes itself. */
const COUNTING = 6
const RUN_MS = 10 * 60_000
/** More than a change of a module reserves. */
const ENOUGH = 5_000

function limitRows(rows: number): void {
  const vars = env as { USER_WRITTEN_ROWS_PER_DAY: string }
  vars.USER_WRITTEN_ROWS_PER_DAY = String(rows)
  onTestFinished(() => void Object.assign(vars, { USER_WRITTEN_ROWS_PER_DAY: '' }))
}

function usedBy(userId: string): Promise<number | null> {
  const sql = `SELECT amount FROM quota_uses WHERE module_id = ? AND kind = 'rows'`
  return env.DB.prepare(sql).bind(userId).first<number>('amount')
}

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)
const captionsOf = (cues: number, word: string) =>
  `WEBVTT\n\n${Array.from({ length: cues }, (_, at) => `${clock(at * 4_000)} --> ${clock(at * 4_000 + 3_900)}\n${word} ${at}.\n`).join('\n')}`
const stepsOf = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => ({
    id: `step-${at}`,
    title: `${word} ${at}`,
    description: `${word} the part.`,
    start: at * 0.2,
    end: at * 0.2 + 0.1,
    aliases: Array.from({ length: 10 }, (_each, alias) => `${word} ${alias}`),
  }))

describe('the most that a call of a route writes', () => {
  it('is what it reserves, for routes that write a lot', { tags: 'attack-52' }, async () => {
    const { as, moduleId } = await seedTutored({ durationMs: 80_000_000 })
    const measured: [name: string, rows: number][] = []
    const measure = async (name: string, what: Parameters<typeof countRows>[1]) => {
      const [method = '', path = ''] = name.split(' ')
      const { rows } = await countRows(path.replace(':moduleId', moduleId), { as, method, ...what })
      measured.push([name, rows])
    }
    const headers = { 'content-type': 'text/vtt' }
    for (const word of ['Open', 'Close'])
      await measure('PUT /api/captions/:moduleId', { headers, body: captionsOf(CAPTION_CUES_MAX, word) })
    // There is no video, so the run of the captions ends.
    await env.DB.prepare("UPDATE modules SET status = 'FAILED', run_status = 'FAILED' WHERE id = ?")
      .bind(moduleId)
      .run()
    for (const word of ['Take', 'Give'])
      await measure('POST /api/steps/:moduleId', { json: { steps: stepsOf(STEP_HARD_LIMITS.maxSteps, word) } })
    const blocks = Array.from({ length: STEP_HARD_LIMITS.maxSteps }, (_, at) => makeBlock(`ls ${at}`, at * 200))
    await measure('PUT /api/modules/:moduleId/screen', { json: makeReading(blocks) })
    expect(measured.at(-1)?.[1], 'a proposal per step').toBeGreaterThan(STEP_HARD_LIMITS.maxSteps)
    const answer = await call(`/api/transcript/${moduleId}`, { as })
    const { segments } = (await answer.json()) as { segments: { id: string; text: string }[] }
    const lines = segments.slice(0, CORRECTIONS_MAX)
    // Corrects the lines, and takes it back.
    for (const said of [' Well.', '']) {
      const edits = lines.map(({ id, text }) => ({ id, text: text + said }))
      await measure('PATCH /api/transcript/:moduleId', { json: { edits } })
    }
    await measure('PATCH /api/modules/:moduleId', { json: { title: 'Another', shared: false } })
    await measure('POST /api/reprocess/:moduleId', { json: { from: 'start' } })
    // Otherwise the room's alarm plans this run's sections while a later test counts rows.
    await env.DB.prepare("UPDATE modules SET status = 'FAILED', run_status = 'FAILED' WHERE id = ?")
      .bind(moduleId)
      .run()
    for (const [name, rows] of measured)
      expect(rows, JSON.stringify(measured)).toBeLessThanOrEqual(CALL_LIMITS[name]?.rowsMax ?? 0)
    expect(Math.max(...measured.map(([, rows]) => rows)), 'nothing was counted').toBeGreaterThan(CORRECTIONS_MAX)
  })

  it('the jobs of a run write at most the amount that the run reserves', { tags: 'attack-53' }, async () => {
    // A model is paid for and asked once more in the end, which our own engine is not.
    const outline = async ({ steps }: OutlineTask) =>
      steps.flatMap(({ title, lines: [opening] }) => (opening === undefined ? [] : [{ first: opening.line, title }]))
    const driver = openDriver({ stepWriter: { ...extractiveStepWriter, name: 'fake', outline } })
    const { d1, rowsWritten } = countD1(env.DB)
    const quotas = { ...driver.deps.quotas, everyone: { ai: UNITS.ai } }
    Object.assign(driver.deps, { d1, db: openDb(d1), quotas })
    const { moduleId } = await seedRun(RUN_MS)
    await driver.drain()
    expect(await findModule(driver.deps.db, moduleId)).toMatchObject({ status: 'READY', lastError: null })
    expect(rowsWritten()).toBeGreaterThan(0)
    expect(rowsWritten()).toBeLessThanOrEqual(rowsOfRun(RUN_MS))
  })
})

describe('the rows that one person may write on one day', () => {
  it('is never passed by however many calls at once, and the next call names the limit', {
    tags: 'attack-49',
  }, async () => {
    const { as, moduleId } = await seedTutored()
    const path = `/api/modules/${moduleId}`
    const limit = 2.5 * ((CALL_LIMITS['PATCH /api/modules/:moduleId']?.rowsMax ?? 0) + COUNTING)
    limitRows(limit)
    const titles = Array.from({ length: 8 }, (_, at) => `Title ${at}`)
    const answers = await Promise.all(titles.map((title) => call(path, { as, method: 'PATCH', json: { title } })))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2)
    expect(await usedBy(as)).toBeLessThanOrEqual(limit)
    const use = { kind: 'rows', userId: `user_${nanoid(8)}`, day: '2031-05-05', amount: 100 } as const
    const added = await Promise.all(Array.from({ length: 8 }, () => addOfPerson(env.DB, use, 250)))
    expect(added.filter(Boolean)).toHaveLength(2)
    limitRows(100)
    const refused = await call(path, { as, method: 'PATCH', json: { title: 'One more' } })
    expect(refused.status).toBe(429)
    const { quota, detail } = QuotaReached.parse(await refused.json())
    expect(quota).toMatchObject({ kind: 'rows', of: 'user', limit: 100 })
    expect(detail).toContain('Your account has reached its limit of 100 saved changes per day.')
  })

  it('lets a trainer add captions to very many videos at once by the default', { tags: 'attack-51' }, async () => {
    limitRows(150_000)
    const { as, moduleId } = await seedTutored()
    const videos = [
      moduleId,
      ...(await Promise.all(Array.from({ length: 11 }, () => seedModule({ userId: as })))).map(({ id }) => id),
    ]
    const file = { method: 'PUT', headers: { 'content-type': 'text/vtt' }, body: captionsOf(1_000, 'Open') }
    const answers = await Promise.all(videos.map((id) => call(`/api/captions/${id}`, { as, ...file })))
    expect(answers.map(({ status }) => status)).toEqual(videos.map(() => 200))
    limitRows(Number(await usedBy(as)) + 50)
    const refused = await call(`/api/captions/${moduleId}`, { as, ...file })
    expect(QuotaReached.parse(await refused.json()).quota.kind).toBe('rows')
  })

  it('does not hold up reading and deleting, nor another person', async () => {
    const mine = await seedTutored()
    const other = await seedTutored()
    limitRows(0)
    expect((await call(`/api/modules/${mine.moduleId}`, { as: mine.as })).status).toBe(200)
    expect((await call(`/api/modules/${mine.moduleId}`, { as: mine.as, method: 'DELETE' })).status).toBe(200)
    limitRows(ENOUGH)
    const patch = { method: 'PATCH', json: { title: 'Another' } }
    expect((await call(`/api/modules/${other.moduleId}`, { as: other.as, ...patch })).status).toBe(200)
  })

  it('refunds the reserved rows of a caller who has gone', async () => {
    const { as, moduleId } = await seedTutored()
    limitRows(ENOUGH)
    const held: Promise<unknown>[] = []
    const ctx = { waitUntil: (promise: Promise<unknown>) => void held.push(promise), props: {}, exports: {} }
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const headers = { authorization: `Bearer ${await tokenOf(as, {})}`, 'content-type': 'application/json' }
    const request = new Request(`http://localhost:8787/api/modules/${moduleId}`, {
      method: 'PATCH',
      headers,
      body: readable,
    })
    const answer = Promise.resolve(createApp(localServices).fetch(request, { ...env }, ctx as never))
    await vi.waitFor(async () => expect(await usedBy(as)).toBeGreaterThan(COUNTING))
    await vi.waitFor(() => expect(held).toHaveLength(1))
    await writable.close()
    await answer
    await Promise.all(held)
    expect(await usedBy(as)).toBe(COUNTING)
  })

  it('takes a refused call as nothing', async () => {
    const { as, moduleId } = await seedTutored()
    limitRows(ENOUGH)
    const bad = await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { title: 7 } })
    expect(bad.status).toBe(400)
    await vi.waitFor(async () => expect(await usedBy(as)).toBe(COUNTING))
  })
})

// The last one: the tasks that its calls start run beside the tests after it.
describe('the most that a call of an upload writes', () => {
  it('is what it reserves, for routes that are called often', { tags: 'attack-50' }, async () => {
    const vars = env as { USER_UPLOAD_BYTES_PER_DAY: string }
    vars.USER_UPLOAD_BYTES_PER_DAY = String(1024 ** 3)
    onTestFinished(() => void Object.assign(vars, { USER_UPLOAD_BYTES_PER_DAY: '' }))
    const as = `user_${nanoid(8)}`
    const partBytes = 8 * 1024 * 1024
    const file = { filename: 'a.mp4', contentType: 'video/mp4', sizeBytes: 3 * partBytes, multipart: true }
    const { moduleId } = await answerOf(PresignAnswer, '/api/presigned-upload/presigned-url', { as, json: file })
    const path = `/api/upload/${moduleId}`
    const chunks = Array.from({ length: UPLOAD_URLS_MAX }, (_, chunk) => ({ chunk, sizeBytes: 4 }))
    for (const { chunk } of chunks) await env.MEDIA.put(chunkKey({ moduleId, run: 1, chunk }), 'song')
    const lengthMs = 30_000
    const arrived = chunks.map(({ chunk, sizeBytes }) => {
      const [startMs, endMs] = [chunk * lengthMs, (chunk + 1) * lengthMs]
      const audio = { audioStartMs: startMs, audioDurationMs: lengthMs }
      return { chunk, sizeBytes, contentType: 'audio/mp4', startMs, endMs, ...audio }
    })
    const audio = { durationMs: UPLOAD_URLS_MAX * lengthMs, chunkCount: null }
    const measured = {
      'PUT /api/upload/:moduleId/parts/:part': await countRows(`${path}/parts/1`, {
        as,
        method: 'PUT',
        json: { etag: 'one', sizeBytes: partBytes },
      }),
      'POST /api/upload/:moduleId/audio-urls': await countRows(`${path}/audio-urls`, {
        as,
        json: { chunks, contentType: 'audio/mp4' },
      }),
      'POST /api/upload/:moduleId/audio': await countRows(`${path}/audio`, { as, json: { ...audio, chunks: arrived } }),
    }
    for (const [name, { rows }] of Object.entries(measured)) {
      expect(rows, name).toBeGreaterThan(0)
      expect(rows, name).toBeLessThanOrEqual(CALL_LIMITS[name]?.rowsMax ?? 0)
    }
  })
})
