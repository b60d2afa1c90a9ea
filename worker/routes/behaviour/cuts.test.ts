// Behaviour: what is left out of a video, and all that reads its time.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { CollectionAnswer } from '#contract/collection.ts'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import { Done, ModuleAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { BLANK_STEP, StepsAnswer } from '#contract/step.ts'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { lengthOf, type TimeRanges } from '#contract/time/time-ranges.ts'
import { findVisible, listVisibleLines, listVisibleSteps, tidyCuts } from '#contract/time/visible-time.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { learners } from '#worker/db/learner-tables.ts'
import { steps } from '#worker/db/schema.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { findToIndex, indexModule } from '#worker/domain/search/index-module.ts'
import { indexOf, loadIndex } from '#worker/domain/tutor/answer-turn.ts'
import { openContext } from '#worker/entry/open-context.ts'

const DB = openDb(env.DB)
const CUTS = [
  [10, 22],
  [50, 60],
] as const
const SECRET = /zebra/i

/** An owner's training of a minute, in which a false start and its end are to be left out. */
async function seedTraining() {
  const as = `user_${nanoid(8)}`
  const { id } = await seedModule({ userId: as, status: 'READY', durationMs: 60_000, title: 'Print', stepsVersion: 1 })
  const line = (startS: number, endS: number, text: string) => {
    return { startMs: startS * 1000, endMs: endS * 1000, text, confidence: null }
  }
  await seedCaptions(id, [
    line(0, 9, 'Open the cover of the printer.'),
    line(11, 15, 'Now the zebra falls down.'),
    line(23, 40, 'Put the roll in and close it.'),
    line(49, 58, 'The last zebra says good bye.'),
  ])
  const step = (position: number, title: string, [startS, endS]: [number, number]) => {
    const times = { startMs: startS * 1000, endMs: endS * 1000 }
    return { ...BLANK_STEP, moduleId: id, id: `s${position}`, position, title, description: `${title}.`, ...times }
  }
  await DB.insert(steps).values([
    step(0, 'Open the cover', [0, 10]),
    step(1, 'Zebra falls', [10, 20]),
    step(2, 'Insert the roll', [20, 60]),
  ])
  const reading = makeReading([makeBlock('lpstat -p roll', 30_000), makeBlock('zebra --eject', 55_000)])
  await answerOf(Done, `/api/modules/${id}/screen`, { as, method: 'PUT', json: reading })
  return { id, as }
}

async function cutTraining() {
  const training = await seedTraining()
  const options = { as: training.as, method: 'PUT', json: { cuts: CUTS } }
  const answer = await answerOf(StepsAnswer, `/api/steps/${training.id}/cuts`, options)
  return { ...training, answer }
}

/** A second at least. */
const keepsSome = (ranges: TimeRanges) => lengthOf(findVisible({ start: 0, end: 60 }, tidyCuts(ranges, 60))) >= 1

const textOf = async (path: string) => (await call(path)).text()

describe('PUT /api/steps/{id}/cuts', () => {
  it('leaves it out of all that learners read', async () => {
    const { id } = await cutTraining()
    const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
    expect(module.cuts).toEqual(CUTS)
    expect(module.steps.map(({ title, timestamp, duration }) => [title, timestamp, timestamp + duration])).toEqual([
      ['Open the cover', 0, 10],
      ['Insert the roll', 22, 50],
    ])
    expect(module.steps.map(({ commands }) => commands.map(({ text }) => text))).toEqual([[], ['lpstat -p roll']])
    const names = ['captions.vtt', 'captions.srt', 'chapters.vtt', 'steps.md', 'print']
    for (const path of [...names.map((name) => `/share/${id}/${name}`), `/api/share/${id}`, `/share/${id}`]) {
      const text = await textOf(path)
      expect(text, path).not.toMatch(SECRET)
      expect(text, path).toMatch(/roll/)
    }
    const viewer = { as: 'user_viewer' }
    const { steps: read, transcript } = await answerOf(StepsAnswer, `/api/steps/${id}`, viewer)
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, viewer)
    const { module: opened } = await answerOf(ModuleAnswer, `/api/modules/${id}`, viewer)
    expect(JSON.stringify([read, transcript, segments, opened])).not.toMatch(SECRET)
    expect(read).toHaveLength(2)
  })

  it('is the same for all of them, whatever is left out', async () => {
    const { id, as } = await seedTraining()
    const second = fc.integer({ min: 0, max: 60 })
    const ranges = fc.array(fc.tuple(second, second), { maxLength: 4 }).filter((some) => keepsSome(some))
    const check = async (cuts: TimeRanges) => {
      const { meta, steps: all } = await answerOf(StepsAnswer, `/api/steps/${id}/cuts`, {
        as,
        method: 'PUT',
        json: { cuts },
      })
      const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
      const shownLines = listVisibleLines(segments, meta.cuts)
      const shownSteps = listVisibleSteps(all, meta.cuts)
      const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
      expect(module.steps.map(({ id: step, timestamp }) => [step, timestamp])).toEqual(
        shownSteps.map(({ id: step, start }) => [step, start]),
      )
      const index = await loadIndex(openContext(env), indexOf((await findModule(DB, id)) as ModuleRow, 'viewer'))
      expect(index.steps.map((step) => step.start)).toEqual(shownSteps.map(({ start }) => start))
      expect(index.segments.map(({ text }) => text)).toEqual(shownLines.map(({ text }) => text))
      // Captions are made of the same, but come out of the edge.
      const captions = await (await call(`/api/modules/${id}/transcript.txt`, { as })).text()
      for (const { text } of segments) {
        expect(captions.includes(text)).toBe(shownLines.some((line) => line.text === text))
      }
    }
    await fc.assert(fc.asyncProperty(ranges, check), { numRuns: 12 })
  })

  it('is quoted by no tutor and found by no search', async () => {
    const { id } = await cutTraining()
    const context = openContext(env)
    const module = (await findModule(DB, id)) as ModuleRow
    const { segments, steps: known, screen } = await loadIndex(context, indexOf(module, 'owner'))
    expect(JSON.stringify([segments, known, screen])).not.toMatch(SECRET)
    expect(screen?.lines.map(({ text }) => text)).toEqual(['lpstat -p roll'])
    expect(segments).toHaveLength(2)
    await findToIndex(context)
    await indexModule(context, module)
    const { results } = await env.SEARCH.prepare('SELECT * FROM passages WHERE module_id = ?').bind(id).all()
    expect(results.length).toBeGreaterThan(0)
    expect(JSON.stringify(results)).not.toMatch(SECRET)
  })

  it('shows owners all of it, and is undone by the list before', async () => {
    const { id, as, answer } = await cutTraining()
    expect(answer.meta).toMatchObject({ cuts: CUTS, version: 3 })
    expect(answer.steps).toHaveLength(3)
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
    expect(segments).toHaveLength(4)
    const undo = { as, method: 'PUT', json: { cuts: [], version: 3 } }
    await answerOf(StepsAnswer, `/api/steps/${id}/cuts`, undo)
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.steps).toHaveLength(3)
    expect(await textOf(`/share/${id}/captions.vtt`)).toMatch(SECRET)
  })

  it('refuses a stale version, and to leave nothing', async () => {
    const { id, as } = await cutTraining()
    const put = (json: object) => problemOf(`/api/steps/${id}/cuts`, { as, method: 'PUT', json })
    expect((await put({ cuts: [], version: 1 })).code).toBe('version_conflict')
    expect((await put({ cuts: [[0, 60]] })).code).toBe('invalid_request')
    expect((await put({ cuts: Array.from({ length: 201 }, (_, at) => [at, at + 0.5]) })).code).toBe('invalid_request')
    expect((await problemOf(`/api/steps/${id}/cuts`, { method: 'PUT', json: { cuts: [] } })).code).toBe(
      'unauthenticated',
    )
  })

  it('is no part of the length that a collection shows, and counts progress by', async () => {
    const { id, as } = await cutTraining()
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { as, json: { title: 'Line 4' } })
    const change = { as, method: 'PATCH', json: { moduleIds: [id] } }
    await answerOf(CollectionAnswer, `/api/collections/${collection.id}`, change)
    expect(await textOf(`/share/c/${collection.id}`)).toContain('data-seconds="38"')
  })

  it('is not needed to complete a video', async () => {
    const { id, as } = await cutTraining()
    const all = '[[0,10],[22,48]]'
    const sums = { seen: all, seenSeconds: 36, verified: all, verifiedSeconds: 36 }
    await DB.insert(learners).values({ moduleId: id, learnerId: 'user:one', ...sums, firstAt: 1, lastAt: 2 })
    const csv = await (await call(`/api/learning-metrics/${id}/export?format=csv`, { as })).text()
    expect(csv).toMatch(/,36,94,\d{4}-/)
  })

  it('lists no step in the metrics of which nothing is shown', async () => {
    const { id, as } = await cutTraining()
    const metrics = await answerOf(LearningMetricsAnswer, `/api/learning-metrics/${id}`, { as })
    expect(metrics.steps.map(({ stepId }) => stepId)).toEqual(['s0', 's2'])
  })
})
