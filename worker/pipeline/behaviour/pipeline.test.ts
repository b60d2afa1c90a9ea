// Behaviour: a run from its first task to READY, and a task that fails.
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedDeletion } from '#local/testing/modules.ts'
import { AppError } from '#worker/core/errors.ts'
import { listChunksBetween } from '#worker/domain/run/chunk-store.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { unbounded } from '#worker/jobs/testing/sweep-here.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import type { StepWindow } from '#worker/ports/language-model.ts'
import { wakeWatchdog } from '../recover.ts'
import { fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { moduleOf, outcomeOf, segmentsOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000

/** Breaks one write of the database while something is done. */
async function whileLosing<T>(write: string, act: () => Promise<T>): Promise<T> {
  await env.DB.prepare(`CREATE TRIGGER lost BEFORE UPDATE OF ${write} BEGIN SELECT RAISE(ABORT, 'lost'); END`).run()
  try {
    return await act()
  } finally {
    await env.DB.prepare('DROP TRIGGER lost').run()
  }
}

describe('a run', () => {
  it('leads from the audio of a video to a module that is READY with steps inside the video', {
    tags: 'spec-1.5',
  }, async () => {
    const driver = openDriver()
    const id = await seedRun(3 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    const module = await moduleOf(driver, id)
    expect(module).toMatchObject({ status: 'READY', progress: 100, transcriptRun: 1, lastError: null })
    const steps = await listSteps(driver.deps.db, id.moduleId)
    expect(steps.length).toBeGreaterThan(0)
    for (const step of steps) expect(step.endMs).toBeLessThanOrEqual((module?.durationMs ?? 0) + 1)
    expect(await findRun(driver.deps.db, id)).toMatchObject({ outcome: 'ready' })
  })

  it('ends the same when every doorbell comes three times, and chunks are transcribed in reverse', {
    tags: ['fault-13', 'fault-14'],
  }, async () => {
    const plain = openDriver()
    const one = await seedRun(3 * MINUTE)
    await plain.deliver([{ kind: 'ingest', ...one }])
    await plain.drain()

    const speech = fakeSpeech()
    const wild = openDriver({ speech })
    const two = await seedRun(3 * MINUTE)
    await wild.deliver([{ kind: 'ingest', ...two }])
    await wild.drain((ready) => ready.toReversed())
    const calls = speech.calls.length
    const names = (['ingest', 'transcribe', 'write_steps'] as const).map((kind) => ({ kind, ...two }))
    expect(await wild.deliver([...names, ...names])).toEqual({ done: 0, retried: 0 })
    await wild.drain()
    expect(await outcomeOf(wild, two)).toEqual(await outcomeOf(plain, one))
    expect(speech.calls.length).toBe(calls)
  })

  it('does not go back to listening when a doorbell comes late', async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.deliver(await driver.listReady())
    expect(new Set((await driver.listReady()).map(({ kind }) => kind))).toEqual(new Set(['write_steps']))
    await env.DB.prepare("UPDATE modules SET message = 'Writing the steps' WHERE id = ?").bind(id.moduleId).run()
    await driver.deliver([{ kind: 'transcribe', ...id }])
    expect(await moduleOf(driver, id)).toMatchObject({ message: 'Writing the steps' })
  })

  it('cuts a long video slice by slice and knows the number of chunks at the end', async () => {
    const driver = openDriver()
    const id = await seedRun(12 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    expect((await findRun(driver.deps.db, id))?.chunkCount).toBeNull()
    expect(await driver.listReady('ingest')).toEqual([{ kind: 'ingest', ...id, index: 1 }])
    for (let ready = 1; ready > 0; ready = (await driver.listReady('ingest')).length)
      await driver.deliver(await driver.listReady('ingest'))
    const chunks = await listChunksBetween(driver.deps.db, id, 0, 1000)
    expect(chunks.map((chunk) => chunk.chunk)).toEqual(chunks.map((_, index) => index))
    await driver.drain()
    expect(await findRun(driver.deps.db, id)).toMatchObject({ chunkCount: chunks.length, outcome: 'ready' })
  })

  it('fails when none of it is understood, which it knows at the end', async () => {
    const driver = openDriver({ speech: fakeSpeech((chunk) => transcribedIn(chunk, 0.34)) })
    const id = await seedRun(3 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain((ready) => ready.slice(0, 1))
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'not_understood' })
  })

  it('fails with no_narration when no chunk has words', { tags: 'fault-26' }, async () => {
    const driver = openDriver({ speech: fakeSpeech(() => ({ words: [], language: null })) })
    const id = await seedRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'no_narration' })
  })

  it('does not listen at all when there are captions', async () => {
    const speech = fakeSpeech()
    const driver = openDriver({ speech })
    const id = await seedRun(MINUTE)
    const text = 'Open the lid and take the old filter out.'
    const captions = [{ startMs: 0, endMs: 20_000, text, confidence: null }]
    await seedCaptions(id.moduleId, captions)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    expect(speech.calls).toHaveLength(0)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', transcriptRun: 0 })
  })

  it('asks for the steps of a captioned module although the first try broke off half way', async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE)
    const captions = [
      { startMs: 0, endMs: 20_000, text: 'Open the lid and take the old filter out.', confidence: null },
    ]
    await seedCaptions(id.moduleId, captions)
    const first = await whileLosing('section_count ON runs', () => driver.deliver([{ kind: 'ingest', ...id }]))
    expect(first).toEqual({ done: 0, retried: 1 })
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })

  it('uses captions that arrive while the audio is being transcribed', async () => {
    const driver = openDriver({ speech: fakeSpeech((chunk) => transcribedIn(chunk, 0.3)) })
    const id = await seedRun(3 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const captions = [
      { startMs: 0, endMs: 20_000, text: 'Open the lid and take the old filter out.', confidence: null },
    ]
    await seedCaptions(id.moduleId, captions)
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', transcriptRun: 0 })
  })

  it('adds the task of the next slice once, although the doorbell for this one came twice at the same time', async () => {
    const driver = openDriver()
    const id = await seedRun(12 * MINUTE)
    await driver.deliver([
      { kind: 'ingest', ...id },
      { kind: 'ingest', ...id },
    ])
    expect(await driver.listReady('ingest')).toHaveLength(1)
  })

  it('says so when none of the captions lie inside the video', async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE)
    const captions = [{ startMs: 9 * 3_600_000, endMs: 9 * 3_600_000 + 5_000, text: 'Far away.', confidence: null }]
    await seedCaptions(id.moduleId, captions)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    const module = await moduleOf(driver, id)
    expect(module).toMatchObject({ status: 'FAILED', failureCode: 'captions_elsewhere' })
    expect(module?.lastError).toContain('captions lie inside')
    // Its browser sends scenes for a video without speech only.
    const offered = await problemOf(`/api/steps/${id.moduleId}/proposals`, {
      as: module?.userId,
      method: 'PUT',
      json: { starts: [0, 30] },
    })
    expect(offered.code).toBe('not_in_progress')
    expect(await moduleOf(driver, id)).toEqual(module)
  })

  it('commits nothing once a newer run has taken over', { tags: 'fault-19' }, async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const module = await moduleOf(driver, id)
    if (module === null) throw new Error('no module')
    const ready = await driver.listReady()
    await startRun(openDriver().deps, module, { trigger: 'reprocess' })
    expect(await driver.deliver(ready)).toEqual({ done: 0, retried: ready.length })
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'PROCESSING', run: 2 })
    expect(await outcomeOf(driver, id)).toEqual({ text: [], steps: [] })
  })

  it('stops when its module is deleted', { tags: 'fault-18' }, async () => {
    const speech = fakeSpeech()
    const driver = openDriver({ speech })
    const id = await seedRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await seedDeletion(id.moduleId, 1)
    await driver.drain()
    expect(speech.calls).toHaveLength(0)
  })

  it('keeps what a person added or changed', async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE)
    await env.DB.prepare(
      `INSERT INTO steps (module_id, id, position, title, description, start_ms, end_ms, is_manual, edited_at)
       VALUES (?1, 'mine', 0, 'Mine', '', 1000, 9000, 1, 5)`,
    )
      .bind(id.moduleId)
      .run()
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    const steps = await listSteps(driver.deps.db, id.moduleId)
    expect(steps.find((step) => step.id === 'mine')?.title).toBe('Mine')
    expect(steps.map((step) => step.position)).toEqual(steps.map((_, index) => index))
  })

  it('reports a heartbeat and more progress with every section that is written', async () => {
    const seen: (number | undefined)[] = []
    const driver = openDriver()
    const id = await seedRun(8 * MINUTE)
    const captions = Array.from({ length: 96 }, (_, n) => ({
      startMs: n * 5000,
      endMs: n * 5000 + 4900,
      text: `Now open lid number ${n} and take the old filter out of it.`,
      confidence: null,
    }))
    await seedCaptions(id.moduleId, captions)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const jobs = await driver.listReady()
    for (const job of jobs) {
      seen.push((await moduleOf(driver, id))?.progress)
      await driver.deliver([job])
    }
    expect(seen.length).toBeGreaterThan(2)
    expect(seen).toEqual(seen.map((_, done) => 60 + Math.floor((30 * done) / seen.length)))
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', progress: 100 })
  })

  it('gives the writer the segments before a section, and those after it only where captions have them', async () => {
    const windows: StepWindow[] = []
    const stepWriter = {
      name: 'watched',
      writeSteps: async (window: StepWindow) => {
        windows.push(window)
        return []
      },
    }
    const driver = openDriver({ stepWriter })
    const ofAudio = await seedRun(4 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...ofAudio }])
    await driver.drain()
    expect(windows.map((window) => window.after)).toEqual(windows.map(() => undefined))
    windows.length = 0
    const ofCaptions = await seedRun(4 * MINUTE)
    const text = 'Now open the lid and take the old filter out of it.'
    const captions = Array.from({ length: 48 }, (_, n) => ({
      startMs: n * 5000,
      endMs: n * 5000 + 4900,
      text,
      confidence: null,
    }))
    await seedCaptions(ofCaptions.moduleId, captions)
    await driver.deliver([{ kind: 'ingest', ...ofCaptions }])
    await driver.drain()
    const all = (await segmentsOf(driver.deps, ofCaptions.moduleId)).map((segment) => segment.id)
    expect(windows.length).toBeGreaterThan(2)
    for (const { before, segments, after } of windows) {
      expect([...before, ...segments, ...(after ?? [])].map((segment) => segment.id)).toEqual(all)
    }
  })

  it('falls back to the extractive engine when the model fails, and marks those steps as drafts', {
    tags: 'fault-27',
  }, async () => {
    const stepWriter = {
      name: 'broken',
      writeSteps: async () => {
        throw new AppError('ai_failed', 'nonsense')
      },
    }
    const driver = openDriver({ stepWriter })
    const id = await seedRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    const steps = await listSteps(driver.deps.db, id.moduleId)
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.every((step) => step.isDraft)).toBe(true)
  })
})

describe('a failing job', () => {
  it('is tried again later, without touching its neighbours in the batch', async () => {
    const speech = fakeSpeech((chunk, call) => {
      if (call === 1) throw new AppError('ai_busy', 'busy', { retryAfterS: 7 })
      return transcribedIn(chunk)
    })
    const driver = openDriver({ speech })
    const id = await seedRun(2 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const jobs = await driver.listReady()
    expect(await driver.deliver(jobs)).toEqual({ done: jobs.length - 1, retried: 1 })
  })

  it('is tried again when its failure cannot be stored, without touching its neighbours', async () => {
    const broken = await seedRun(MINUTE)
    const other = await seedRun(MINUTE)
    const driver = openDriver()
    await env.DB.prepare('UPDATE modules SET source_etag = NULL WHERE id = ?').bind(broken.moduleId).run()
    const jobs = [broken, other].map((id) => ({ kind: 'ingest' as const, ...id }))
    const result = await whileLosing('failure_code ON modules', () => driver.deliver(jobs))
    expect(result).toEqual({ done: 1, retried: 1 })
  })

  it('keeps what was said out of the log', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const driver = openDriver()
    const id = await seedRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    const ready = await driver.listReady()
    await whileLosing('words ON audio_chunks', () => driver.deliver(ready))
    const lines = JSON.stringify(logged.mock.calls)
    logged.mockRestore()
    expect(lines).toContain('lost')
    expect(lines).not.toContain('button')
  })

  it('writes one line of each attempt, all with the id of the request that led to the run', async () => {
    const speech = fakeSpeech((chunk, call) => {
      if (call === 1) throw new AppError('ai_busy', 'Full.', { cause: new Error('3040: button') })
      return transcribedIn(chunk)
    })
    const driver = openDriver({ speech })
    const id = await seedRun(MINUTE)
    const lines = await linesOf(async () => {
      await env.DB.prepare("UPDATE runs SET request_id = 'r-1' WHERE module_id = ?").bind(id.moduleId).run()
      await driver.deliver([{ kind: 'ingest', ...id }])
      const ready = await driver.listReady()
      await driver.deliver(ready)
      await driver.deliver(ready)
      await driver.drain()
    })
    const ofJobs = lines.filter(({ event }) => event === 'task')
    for (const line of ofJobs) expect(line).toMatchObject({ ...id, requestId: 'r-1', durationMs: expect.any(Number) })
    const [first, ...others] = ofJobs.map(({ level, stage, chunk, section, attempt, outcome }) =>
      [level, stage, chunk ?? section, attempt, outcome].join(' '),
    )
    expect(first).toBe('info ingest  1 done')
    expect(others).toEqual(
      expect.arrayContaining(['warn transcribe 0 1 retry', 'info transcribe 0 1 done', 'info write_steps 0 1 done']),
    )
    const retry = ofJobs.find(({ outcome }) => outcome === 'retry')
    expect(retry).toMatchObject({ code: 'ai_busy', cause: 'ai_busy: Full. (3040)', retryAfterS: expect.any(Number) })
    expect(JSON.stringify(lines)).not.toContain('button')
  })

  it('ends the module at once when trying again cannot help', async () => {
    const driver = openDriver({
      speech: fakeSpeech(() => {
        throw new AppError('ai_quota', 'The daily allowance is used up.')
      }),
    })
    const id = await seedRun(MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.drain()
    const failed = { status: 'FAILED', failureCode: 'ai_quota', lastError: 'The daily allowance is used up.' }
    expect(await moduleOf(driver, id)).toMatchObject(failed)
  })

  it('a failing job that ended in the dead-letter queue wakes the watchdog, which rings for what is due', {
    tags: 'fault-16',
  }, async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE, { updatedAt: 0 })
    let isAcked = false
    const messages = [{ id: 'x', body: 'nonsense' }]
    const batch = { queue: 'adapt-dead', messages, ackAll: () => void (isAcked = true) }
    await wakeWatchdog(batch as unknown as MessageBatch<unknown>, unbounded(driver.deps))
    expect(isAcked).toBe(true)
    expect(driver.rung).toContainEqual({ kind: 'ingest' })
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
  })
})
