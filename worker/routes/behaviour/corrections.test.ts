// Behaviour: correcting a transcript: its routes, the steps and the search that follow.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { beforeAll, describe, expect, it } from 'vitest'
import { Done, ReprocessAnswer } from '#contract/module.ts'
import { ProposalsAnswer, StepsAnswer } from '#contract/step.ts'
import { CorrectionAnswer, TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { steps } from '#worker/db/schema.ts'
import { findModule, updateModule } from '#worker/domain/module/module-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { proposeRunSteps } from '#worker/domain/run/section-store.ts'
import { MAX_RUNS_PER_OWNER } from '#worker/domain/run/start-run.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { written } from '#worker/domain/step/testing/seed-steps.ts'
import { putTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { type Driver, fakeSpeech, openDriver, seedRun, transcribedIn } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import type { StepWindow } from '#worker/ports/language-model.ts'

holdTasks()

const LINES = ['Open cooper netties.', 'Click  Save.', 'Click  Save.', 'Now cooper netties is ready.']
const id = (position: number) => `s1-0000${position}`

/** A finished module with four lines of five seconds, and a step that quotes the first two. */
async function planted(fields = {}) {
  const as = `user_${nanoid(8)}`
  const { id: moduleId } = await seedModule({ userId: as, status: 'READY', transcriptRun: 1, ...fields })
  const db = openDb(env.DB)
  await seedLines(moduleId, LINES)
  const step = (name: string, from: number, to: number, originalText: string, position: number) => {
    const segmentIds = LINES.map((_, at) => id(at)).slice(from, to)
    return { ...written(1, from * 5), id: name, moduleId, position, segmentIds, originalText }
  }
  await db
    .insert(steps)
    .values([
      step('own', 0, 2, 'Open cooper netties. Click Save.', 0),
      step('part', 2, 4, 'Then: Now cooper netties is ready.', 1),
    ])
  return { as, moduleId, path: `/api/transcript/${moduleId}` }
}

/** Makes lines of five seconds what the first run has transcribed. */
async function seedLines(moduleId: string, texts: readonly string[]): Promise<string> {
  const lines = texts.map((text, at) => ({ startMs: at * 5_000, endMs: at * 5_000 + 4_000, text, confidence: null }))
  const transcriptKey = await putTranscript(env.MEDIA, { moduleId, run: 1 }, lines)
  await updateModule(openDb(env.DB), moduleId, { transcriptKey })
  return transcriptKey
}

type Planted = Awaited<ReturnType<typeof planted>>

const correct = ({ path, as }: Planted, segment: string, json: unknown) =>
  answerOf(CorrectionAnswer, `${path}/${segment}`, { as, method: 'PATCH', json })
const correctAll = ({ path, as }: Planted, json: unknown) =>
  answerOf(CorrectionAnswer, path, { as, method: 'PATCH', json })
const transcriptOf = ({ path, as }: Planted) => answerOf(TranscriptAnswer, path, { as })
const textsOf = async (module: Planted) => (await transcriptOf(module)).segments.map((segment) => segment.text)
const stepsOf = ({ moduleId, as }: Planted) => answerOf(StepsAnswer, `/api/steps/${moduleId}`, { as })
const quotesOf = async (module: Planted) => (await stepsOf(module)).steps.map((step) => step.originalText)
const glossaryOf = async ({ moduleId }: Planted) => (await findModule(openDb(env.DB), moduleId))?.glossary

describe('PATCH /api/transcript/{moduleId}/{segmentId}', () => {
  it('corrects a segment and the steps that quote it', async () => {
    const module = await planted()
    const before = await stepsOf(module)
    const answer = await correct(module, id(0), { text: ' Open  Kubernetes. ', was: 'Open cooper netties.' })
    expect(answer).toMatchObject({
      segments: [{ id: id(0), text: 'Open Kubernetes.', start: 0, end: 4, isEdited: true }],
    })
    const { segments } = await transcriptOf(module)
    expect(segments.map((segment) => segment.isEdited)).toEqual([true, false, false, false])
    const after = await stepsOf(module)
    expect(after.steps.map((step) => step.originalText)).toEqual([
      'Open Kubernetes. Click Save.',
      'Then: Now cooper netties is ready.',
    ])
    expect(after.transcript).toMatch(/^Open Kubernetes\. /)
    expect(after.meta.version).toBe(before.meta.version + 1)
  })

  it('is no conflict for a person who edits the steps meanwhile', async () => {
    const module = await planted()
    const { steps: list, meta } = await stepsOf(module)
    await correct(module, id(0), { text: 'Open Kubernetes.' })
    const json = { steps: list, version: meta.version }
    expect((await call(`/api/steps/${module.moduleId}`, { as: module.as, json })).status).toBe(200)
  })

  it('replaces a line inside a quote that says more', async () => {
    const module = await planted()
    await correct(module, id(3), { text: 'Now Kubernetes is ready.' })
    expect((await quotesOf(module))[1]).toBe('Then: Now Kubernetes is ready.')
  })

  it('removes a correction when the segment has its transcribed text again', async () => {
    const module = await planted()
    for (const text of ['One.', 'Two.', 'Open cooper netties.']) await correct(module, id(0), { text })
    expect((await transcriptOf(module)).segments[0]).toMatchObject({ text: 'Open cooper netties.', isEdited: false })
    expect((await quotesOf(module))[0]).toBe('Open cooper netties. Click Save.')
  })

  it('corrects the quotes of proposals too', async () => {
    const module = await planted()
    await env.DB.prepare("UPDATE modules SET status = 'PROCESSING', run_status = 'PROCESSING', run = 2 WHERE id = ?")
      .bind(module.moduleId)
      .run()
    const line = 's2-00000'
    const offer = written(2, 0, { segmentIds: [line], originalText: 'Open cooper netties.' })
    const key = await seedLines(module.moduleId, LINES)
    const end = {
      moduleId: module.moduleId,
      run: 2,
      nowMs: 1,
      basedOn: { captionsKey: null, screenKey: null, stepsVersion: null },
      transcript: { key, segmentCount: LINES.length },
    }
    expect(await proposeRunSteps(env.DB, end, [offer])).toBe(true)
    await correct(module, line, { text: 'Open Kubernetes.' })
    const path = `/api/steps/${module.moduleId}/proposals`
    const { proposals } = await answerOf(ProposalsAnswer, path, { as: module.as })
    expect(proposals.map((step) => step.originalText)).toEqual(['Open Kubernetes.'])
  })

  it('refuses a correction of another text, and of a segment that is not there', async () => {
    const module = await planted()
    const patch = (segment: string, json: unknown) =>
      problemOf(`${module.path}/${segment}`, { as: module.as, method: 'PATCH', json })
    expect((await patch(id(0), { text: 'New.', was: 'Old.' })).code).toBe('version_conflict')
    expect((await patch('s9-00000', { text: 'New.' })).code).toBe('not_found')
    expect(await textsOf(module)).toEqual(LINES)
  })

  it.each([
    ['nothing', { text: ' ' }],
    ['more than a line', { text: 'x'.repeat(2_001) }],
    ['no text', {}],
    ['an unknown field', { text: 'a', start: 3 }],
  ])('refuses %s', async (_what, json) => {
    const { path, as } = await planted()
    expect((await problemOf(`${path}/${id(0)}`, { as, method: 'PATCH', json })).code).toBe('invalid_request')
  })

  it('waits while the module is processed', async () => {
    const { path, as } = await planted({ status: 'PROCESSING' })
    const problem = await problemOf(`${path}/${id(0)}`, { as, method: 'PATCH', json: { text: 'New.' } })
    expect(problem.code).toBe('steps_not_ready')
  })

  it('answers everyone but owners as for a module that does not exist', async () => {
    const { path } = await planted()
    const options = { as: 'user_viewer', method: 'PATCH', json: { text: 'New.' } }
    const missing = await problemOf(`/api/transcript/${'x'.repeat(22)}/${id(0)}`, options)
    const viewer = await problemOf(`${path}/${id(0)}`, options)
    expect(missing.code).toBe('not_found')
    expect({ ...viewer, requestId: '' }).toEqual({ ...missing, requestId: '' })
    expect((await problemOf(`${path}/${id(0)}`, { ...options, as: null })).code).toBe('unauthenticated')
    expect((await problemOf(path, { ...options, json: { edits: [] } })).code).toBe('not_found')
  })
})

describe('PATCH /api/transcript/{moduleId}', () => {
  const both = [
    { id: id(0), text: 'Open Kubernetes.', was: LINES[0] },
    { id: id(3), text: 'Now Kubernetes is ready.', was: LINES[3] },
  ]

  it('corrects several lines in one go and remembers the word', async () => {
    const module = await planted()
    const before = (await stepsOf(module)).meta.version
    const answer = await correctAll(module, { edits: both, glossary: ['Kubernetes'] })
    expect(answer.isInGlossary).toBe(true)
    expect(answer.segments.map((segment) => segment.text)).toEqual(['Open Kubernetes.', 'Now Kubernetes is ready.'])
    expect(await quotesOf(module)).toEqual(['Open Kubernetes. Click Save.', 'Then: Now Kubernetes is ready.'])
    expect((await stepsOf(module)).meta.version).toBe(before + 1)
    expect(await glossaryOf(module)).toBe('Kubernetes')
  })

  it('changes nothing at all when one of the lines has changed', async () => {
    const module = await planted()
    await correct(module, id(3), { text: 'Something else.' })
    const problem = await problemOf(module.path, {
      as: module.as,
      method: 'PATCH',
      json: { edits: both, glossary: ['K8s'] },
    })
    expect(problem.code).toBe('version_conflict')
    expect(await textsOf(module)).toEqual([...LINES.slice(0, 3), 'Something else.'])
    expect(await glossaryOf(module)).toBeNull()
  })

  it('lets one of two people win who correct the same segment at the same moment', async () => {
    const module = await planted()
    const texts = ['One.', 'Two.', 'Three.']
    const statuses = await Promise.all(
      texts.map(async (text) => {
        const json = { edits: [{ id: id(1), text, was: LINES[1] }] }
        return (await call(module.path, { as: module.as, method: 'PATCH', json })).status
      }),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect((await textsOf(module))[1]).toBe(texts[statuses.indexOf(200)])
  })

  it('only adds to the glossary where no line is named, and says when there is no room', async () => {
    const module = await planted({ glossary: 'kubernetes, pod' })
    expect((await correctAll(module, { edits: [], glossary: ['Kubernetes', 'etcd'] })).isInGlossary).toBe(true)
    expect(await glossaryOf(module)).toBe('kubernetes, pod, etcd')
    const long = Array.from({ length: 20 }, (_, n) => `${n}${'x'.repeat(60)}`)
    expect((await correctAll(module, { edits: [], glossary: long })).isInGlossary).toBe(false)
    expect(await glossaryOf(module)).toBe('kubernetes, pod, etcd')
  })

  it('corrects a whole hour in one go', async () => {
    const module = await planted()
    await seedLines(
      module.moduleId,
      Array.from({ length: 1_000 }, (_, n) => `cooper netties ${n}`),
    )
    const lines = (await transcriptOf(module)).segments
    const edits = lines.map((line, n) => ({ id: line.id, text: `Kubernetes ${n}`, was: line.text }))
    expect((await correctAll(module, { edits })).segments).toHaveLength(1_000)
  })
})

/** Several runs one after the other, on a machine that does other things too. */
const SEVERAL_RUNS_MS = 30_000

describe('corrections and a new run', { timeout: SEVERAL_RUNS_MS }, () => {
  const as = `user_${nanoid(8)}`
  const open = (moduleId: string): Planted => ({ as, moduleId, path: `/api/transcript/${moduleId}` })

  /** Videos at work that keep every further run waiting, so that only the test does its jobs. */
  beforeAll(async () => {
    for (let n = 0; n < MAX_RUNS_PER_OWNER; n++) await seedRun(1_000, { userId: as })
  })

  async function finish(driver: Driver, run: RunId): Promise<void> {
    await driver.drain((ready) => ready.slice(0, 1))
    expect(await findModule(openDb(env.DB), run.moduleId)).toMatchObject({ status: 'READY', run: run.run })
  }

  async function again(moduleId: string, driver = openDriver()): Promise<void> {
    const { run } = await answerOf(ReprocessAnswer, `/api/reprocess/${moduleId}`, { as, json: { from: 'start' } })
    await finish(driver, { moduleId, run })
  }

  /** A recogniser that transcribes one word otherwise. */
  const otherRecogniser = () =>
    fakeSpeech((chunk) => {
      const transcribed = transcribedIn(chunk)
      return {
        ...transcribed,
        words: transcribed.words.map((word) => (word.text === 'blue' ? { ...word, text: 'green' } : word)),
      }
    })

  async function corrected() {
    const { moduleId } = await seedRun(60_000, { userId: as })
    await finish(openDriver(), { moduleId, run: 1 })
    const module = open(moduleId)
    const { segments } = await transcriptOf(module)
    const second = segments[1]
    if (second === undefined) throw new Error('too few lines')
    await correct(module, second.id, { text: 'My own words.' })
    return { module, start: second.start, transcribed: second.text }
  }

  it('corrections stay where the same words are transcribed again, and the steps are written from them', async () => {
    const { module, start } = await corrected()
    await again(module.moduleId)
    const { segments, orphaned } = await transcriptOf(module)
    expect(segments[1]).toMatchObject({ text: 'My own words.', isEdited: true, start })
    expect(segments[1]?.id).toMatch(/^s2-/)
    expect(segments.filter((segment) => segment.isEdited)).toHaveLength(1)
    expect(orphaned).toEqual([])
    expect((await quotesOf(module)).join(' ')).toContain('My own words.')
    await again(module.moduleId)
    expect((await transcriptOf(module)).segments[1]).toMatchObject({ text: 'My own words.', isEdited: true })
  })

  it('corrections are listed as orphaned where other words are transcribed, fit again in a later run, and can be deleted', async () => {
    const { module, start, transcribed } = await corrected()
    await again(module.moduleId, openDriver({ speech: otherRecogniser() }))
    const changed = await transcriptOf(module)
    expect(changed.segments.some((segment) => segment.isEdited)).toBe(false)
    expect(changed.orphaned).toMatchObject([{ start, transcribed, text: 'My own words.' }])
    const viewer = await answerOf(TranscriptAnswer, module.path, { as: 'user_viewer' })
    expect(viewer.orphaned).toEqual([])

    await again(module.moduleId)
    const found = await transcriptOf(module)
    expect(found.segments[1]).toMatchObject({ text: 'My own words.', isEdited: true })
    expect(found.orphaned).toEqual([])

    await again(module.moduleId, openDriver({ speech: otherRecogniser() }))
    expect((await transcriptOf(module)).orphaned).toHaveLength(1)
    const forget = { method: 'DELETE' }
    expect((await problemOf(`${module.path}/orphaned`, { ...forget, as: 'user_viewer' })).code).toBe('not_found')
    await answerOf(Done, `${module.path}/orphaned`, { ...forget, as })
    const { orphaned, segments } = await transcriptOf(module)
    expect(orphaned).toEqual([])
    expect(segments).toHaveLength(changed.segments.length)
  })

  it('corrections are in the quotes of sections that were written before, when a failed module goes on', async () => {
    const { moduleId } = await seedRun(3 * 60_000, { userId: as })
    let calls = 0
    const stepWriter = {
      name: 'stops',
      writeSteps: async (window: StepWindow, signal: AbortSignal) => {
        calls += 1
        return extractiveStepWriter.writeSteps(window, signal)
      },
    }
    const driver = openDriver({ stepWriter })
    while (calls < 2) await driver.deliver((await driver.listReady()).slice(0, 1))
    await env.DB.prepare(
      "UPDATE modules SET status = 'FAILED', run_status = 'FAILED', failure_code = 'ai_unavailable' WHERE id = ?",
    )
      .bind(moduleId)
      .run()
    await env.DB.prepare("UPDATE runs SET ended_at = 1, outcome = 'failed' WHERE module_id = ?").bind(moduleId).run()
    const module = open(moduleId)
    const { segments } = await transcriptOf(module)
    await correct(module, segments[0]?.id ?? '', { text: 'My own words.' })
    const before = await quotesOf(module)
    expect(before[0]).toContain('My own words.')
    const { run } = await answerOf(ReprocessAnswer, `/api/reprocess/${moduleId}`, { as, json: {} })
    await finish(openDriver(), { moduleId, run })
    expect((await quotesOf(module))[0]).toContain('My own words.')
  })
})
