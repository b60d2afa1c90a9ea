// Behaviour: the longest transcript fits into what may be stored.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { fakeSpeech, openDriver, seedRun } from '#worker/pipeline/testing/drive.ts'
import { moduleOf, runThrough, segmentsOf } from '#worker/pipeline/testing/outcome.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'

holdTasks()

const TEN_MINUTES_MS = 600_000
const KEPT_MAX_BYTES = 25_000
const WORD_MS = 400
const SENTENCE = 'Then push the upper handle down until it clicks.'.split(' ')

/** Two and a half words a second, in sentences of nine words. */
const speech = fakeSpeech(({ durationMs }) => {
  const words = Array.from({ length: Math.floor(durationMs / WORD_MS) }, (_, at) => {
    const startMs = at * WORD_MS
    return { text: SENTENCE[at % SENTENCE.length] ?? '', startMs, endMs: startMs + 350, confidence: 0.9 }
  })
  return { words, language: 'en', confidence: 0.9 }
})

/** A step for every fifteen sentences. */
const stepWriter: StepWriter = {
  name: 'fifteens',
  writeSteps: async ({ segments }) => {
    const steps = Array.from({ length: Math.ceil(segments.length / 15) }, (_, at) =>
      segments.slice(at * 15, at * 15 + 15),
    )
    return steps.map((each) => ({
      segmentIds: each.map(({ id }) => id),
      title: `Push the upper handle down, ${each[0]?.id}`,
      description:
        'Hold the lower part with one hand and push the upper handle down with the other until it clicks twice.',
    }))
  },
}

/** Bytes of a module's rows in all tables, by table. */
async function bytesOf(moduleId: string): Promise<Record<string, number>> {
  const { results: tables } = await env.DB.prepare(
    `SELECT name, CASE name WHEN 'modules' THEN 'id' WHEN 'task_queue' THEN 'subject_id' ELSE 'module_id' END AS key
     FROM sqlite_master
     WHERE type = 'table' AND (name IN ('modules', 'task_queue') OR sql LIKE '%\`module_id\`%')`,
  ).all<{ name: string; key: string }>()
  const sizes = tables.map(async ({ name, key }) => {
    const { results } = await env.DB.prepare(`SELECT * FROM ${name} WHERE ${key} GLOB ? || '*'`)
      .bind(moduleId)
      .all<Record<string, string | number | null>>()
    const values = results.flatMap((row) => Object.values(row)).map((value) => String(value ?? ''))
    return [name, new TextEncoder().encode(values.join('')).byteLength] as const
  })
  return Object.fromEntries(await Promise.all(sizes))
}

it('is at most 25 kB in D1 for a READY module of ten minutes, and no word of its audio', async () => {
  const driver = openDriver({ speech, stepWriter })
  const id = await seedRun(TEN_MINUTES_MS)
  await runThrough(driver, id)
  const module = await moduleOf(driver, id)
  const segments = await segmentsOf(driver.deps, id.moduleId)
  expect(module).toMatchObject({ status: 'READY', segmentCount: segments.length })
  expect(segments.length).toBeGreaterThan(150)
  expect(segments.flatMap(({ text }) => text.split(' ')).length).toBeGreaterThan(1_400)
  expect((await listSteps(driver.deps.db, id.moduleId)).length).toBeGreaterThanOrEqual(12)
  const bytes = await bytesOf(id.moduleId)
  expect(bytes).toMatchObject({ audio_chunks: 0, sections: 0, task_queue: 0, transcript_corrections: 0 })
  expect(bytes['steps']).toBeGreaterThan(5_000)
  const sum = Object.values(bytes).reduce((total, each) => total + each, 0)
  expect(sum, JSON.stringify(bytes)).toBeLessThanOrEqual(KEPT_MAX_BYTES)
})
