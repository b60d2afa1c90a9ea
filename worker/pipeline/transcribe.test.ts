import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { openDb } from '#worker/db/db.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { listChunksBetween } from '#worker/domain/run/chunk-store.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import type { SpeechChunk, SpeechResult } from '#worker/ports/speech-to-text.ts'
import { fakeSpeech, openDriver, seedRun, transcribedIn } from './testing/drive.ts'
import { moduleOf } from './testing/outcome.ts'
import { holdTasks } from './testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000

/** The first chunk of a recording is the only one of ten seconds. */
const isFirst = ({ durationMs }: SpeechChunk) => durationMs < 15_000
/** What is said in a chunk, by a recogniser that takes a jingle for Welsh unless it is asked for another language. */
function answerTo(chunk: SpeechChunk): SpeechResult {
  if (chunk.language !== null || !isFirst(chunk)) return transcribedIn(chunk)
  return { words: [{ text: 'Croeso', startMs: 0, endMs: 900, confidence: 0.9 }], language: 'cy' }
}

async function openCut(
  answer: (chunk: SpeechChunk, call: number) => SpeechResult | Promise<SpeechResult>,
  audioMs = 5 * MINUTE,
) {
  const speech = fakeSpeech(answer)
  const driver = openDriver({ speech })
  const id = await seedRun(audioMs)
  for (let ready = await driver.listReady('ingest'); ready.length > 0; ready = await driver.listReady('ingest'))
    await driver.deliver(ready)
  const transcribe = (...chunks: number[]) =>
    driver.deliver(chunks.map((index) => ({ kind: 'transcribe' as const, ...id, index })))
  const rowOf = async (chunk: number) => (await listChunksBetween(driver.deps.db, id, chunk, chunk))[0]
  return { speech, driver, id, transcribe, rowOf }
}

/** The sums of a run, and the same counted again over its chunks. */
async function sumsOf(id: { moduleId: string; run: number }) {
  const sums = ['transcribed_count', 'transcribed_ms', 'word_count', 'confidence_sum']
  const kept = await env.DB.prepare(`SELECT ${sums.join(', ')} FROM runs WHERE module_id = ? AND run = ?`)
    .bind(id.moduleId, id.run)
    .first<Record<string, number>>()
  const counted = await env.DB.prepare(
    `SELECT count(*) AS transcribed_count, sum(end_ms - start_ms) AS transcribed_ms,
       sum(json_array_length(words)) AS word_count,
       sum(coalesce(confidence, 1) * json_array_length(words)) AS confidence_sum
     FROM audio_chunks WHERE module_id = ? AND run = ? AND status = 'transcribed'`,
  )
    .bind(id.moduleId, id.run)
    .first<Record<string, number>>()
  const rounded = (row: Record<string, number> | null) =>
    Object.fromEntries(Object.entries(row ?? {}).map(([name, sum]) => [name, Math.round(sum * 100) / 100]))
  return { kept: rounded(kept), counted: rounded(counted) }
}

describe('a chunk that the recogniser takes in halves only', () => {
  /** Refuses whole chunks, and is busy at the second half, the second call that it would answer. */
  function halving() {
    let isBusy = true
    const answer = (chunk: SpeechChunk) => {
      if (chunk.durationMs > 9_000) throw new AppError('ai_too_large', 'Refused.')
      if (isBusy && answered.length === 1) throw new AppError('ai_busy', 'Busy.', { retryAfterS: 1 })
      answered.push(chunk)
      return transcribedIn(chunk)
    }
    const answered: SpeechChunk[] = []
    return { answer, answered, calm: () => void (isBusy = false) }
  }

  it('is asked for its first half once, though the second one fails', async () => {
    const { answer, answered, calm } = halving()
    const { transcribe, rowOf } = await openCut(answer, MINUTE)
    expect(await transcribe(0)).toEqual({ done: 0, retried: 1 })
    expect(answered).toHaveLength(1)
    calm()
    expect(await transcribe(0)).toEqual({ done: 1, retried: 0 })
    expect(answered).toHaveLength(2)
    const { words = null, voices, endMs = 0 } = (await rowOf(0)) ?? {}
    const spoken = JSON.parse(words ?? '[]') as { endMs: number }[]
    expect(spoken.at(-1)?.endMs).toBeGreaterThan(endMs - 1_000)
    expect(voices).toBeNull()
  })

  it('waits for a busy model also where its answers cannot be kept', async () => {
    const { answer, calm } = halving()
    const { driver, transcribe } = await openCut(answer, MINUTE)
    const whole = driver.deps.db
    driver.deps.db = openDb(
      faultyD1(env.DB, ([query = '']) => (/update "audio_chunks" set "voices"/i.test(query) ? 'not done' : null)),
    )
    await transcribe(0)
    driver.deps.db = whole
    const { results } = await env.DB.prepare(
      "SELECT busy_since FROM task_queue WHERE kind = 'transcribe' AND idx = 0 AND busy_since IS NOT NULL",
    ).all()
    expect(results).toHaveLength(1)
    calm()
    expect(await transcribe(0)).toEqual({ done: 1, retried: 0 })
  })
})

describe('the language of a recording whose owner has not named it', () => {
  it('comes from three chunks that agree, and a jingle before them is asked for once more in it', async () => {
    const { speech, driver, id, transcribe, rowOf } = await openCut((chunk) => answerTo(chunk))
    await transcribe(0)
    await transcribe(1)
    await transcribe(2)
    expect(await moduleOf(driver, id)).toMatchObject({ language: null })
    // The first section has its chunks, but in two languages.
    expect(await findRun(driver.deps.db, id)).toMatchObject({ formedSections: 0 })
    await transcribe(3)
    expect(await moduleOf(driver, id)).toMatchObject({ language: 'en' })
    expect(await rowOf(0)).toMatchObject({ status: 'planned' })
    expect(await sumsOf(id)).toMatchObject({ kept: { transcribed_count: 3 } })
    expect(driver.rung.at(-1)).toEqual({ kind: 'transcribe' })

    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', language: 'en' })
    const asked = speech.calls.filter(isFirst)
    expect(asked.map(({ language }) => language)).toEqual([null, 'en'])
    const { results } = await env.DB.prepare('SELECT original_text AS said FROM steps WHERE module_id = ?')
      .bind(id.moduleId)
      .all<{ said: string }>()
    expect(results.map(({ said }) => said).join(' ')).not.toContain('Croeso')
  })

  it('keeps the sums of the run as they are over its chunks', async () => {
    const { id, transcribe } = await openCut((chunk) => answerTo(chunk))
    await transcribe(0)
    for (const chunk of [1, 2, 3]) await transcribe(chunk)
    const before = await sumsOf(id)
    expect(before.kept).toEqual(before.counted)
    await transcribe(0)
    const after = await sumsOf(id)
    expect(after.kept).toEqual(after.counted)
    expect(after.kept['transcribed_count']).toBe(4)
  })

  it('asks a chunk once more that was under way while the language was settled', async () => {
    const { promise: settled, resolve } = Promise.withResolvers<void>()
    const { speech, driver, id, transcribe, rowOf } = await openCut(async (chunk) => {
      if (isFirst(chunk) && chunk.language === null) await settled
      return answerTo(chunk)
    })
    const late = transcribe(0)
    await expect.poll(() => speech.calls.length).toBe(1)
    for (const chunk of [1, 2, 3]) await transcribe(chunk)
    expect(await moduleOf(driver, id)).toMatchObject({ language: 'en' })
    resolve()
    await late
    expect(await rowOf(0)).toMatchObject({ status: 'planned' })
    await transcribe(0)
    expect(await rowOf(0)).toMatchObject({ status: 'transcribed', language: 'en' })
    expect(speech.calls.filter(isFirst)).toHaveLength(2)
  })

  it('asks no chunk a third time, whatever language the second answer is in', async () => {
    const { speech, driver, id } = await openCut((chunk) => ({
      ...transcribedIn(chunk),
      language: isFirst(chunk) ? 'cy' : 'en',
    }))
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', language: 'en' })
    expect(speech.calls.filter(isFirst)).toHaveLength(2)
  })

  it('leaves chunks alone that have no speech', async () => {
    const { speech, driver, id } = await openCut((chunk) =>
      isFirst(chunk) ? { words: [], language: null } : transcribedIn(chunk),
    )
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', language: 'en' })
    expect(speech.calls.filter(isFirst)).toHaveLength(1)
  })

  it('keeps the first answer where the second call is refused, as by a quota', async () => {
    const { driver, id, rowOf, transcribe } = await openCut((chunk) => {
      if (isFirst(chunk) && chunk.language !== null) throw new AppError('ai_quota', 'The quota is used up.')
      return answerTo(chunk)
    })
    for (const chunk of [0, 1, 2, 3]) await transcribe(chunk)
    await transcribe(0)
    expect(await rowOf(0)).toMatchObject({ status: 'transcribed', language: 'cy' })
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })

  it('books the second call as one of its own', async () => {
    const { id, transcribe } = await openCut((chunk) => answerTo(chunk))
    const sumOf = () =>
      env.DB.prepare("SELECT coalesce(sum(amount), 0) AS sum FROM quota_uses WHERE module_id = ? AND kind = 'ai'")
        .bind(id.moduleId)
        .first<number>('sum')
    await transcribe(0)
    const first = await sumOf()
    for (const chunk of [1, 2, 3]) await transcribe(chunk)
    const before = await sumOf()
    await transcribe(0)
    expect(first).toBeGreaterThan(0)
    expect(await sumOf()).toBe(Number(before) + Number(first))
  })

  it('waits no longer than six chunks for a language where none wins, and ends', async () => {
    const languages = ['cy', 'en', 'fr', 'de', 'it', 'es', 'pt', 'nl', 'pl', 'sv', 'fi', 'da']
    const { driver, id, speech, transcribe } = await openCut((chunk, call) => ({
      ...transcribedIn(chunk),
      language: languages[call - 1] ?? null,
    }))
    for (const chunk of [0, 1, 2, 3, 4]) await transcribe(chunk)
    expect(await findRun(driver.deps.db, id)).toMatchObject({ formedSections: 0 })
    await transcribe(5)
    expect((await findRun(driver.deps.db, id))?.formedSections).toBeGreaterThan(0)
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', language: null })
    expect(speech.calls.every(({ language }) => language === null)).toBe(true)
  })

  it('is that of most chunks of a short recording, silent ones left out', async () => {
    const isSilent = (call: number) => call === 3
    const { speech, driver, id, transcribe } = await openCut(
      (chunk, call) => (isSilent(call) ? { words: [], language: null } : answerTo(chunk)),
      80_000,
    )
    const count = (await findRun(driver.deps.db, id))?.chunkCount ?? 0
    expect(count).toBe(4)
    for (let chunk = 0; chunk < count; chunk++) await transcribe(chunk)
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', language: 'en' })
    expect(speech.calls.map(({ language }) => language)).toEqual([null, null, null, null, 'en'])
  })
})
