// Behaviour: a READY module that is made again.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { DebugListAnswer } from '#contract/debug.ts'
import {
  type Module,
  ModuleAnswer,
  ModuleListAnswer,
  ReprocessAnswer,
  type ReprocessRequest,
} from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { ProposalsAnswer, StepsAnswer } from '#contract/step.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { TutorAnswerBody } from '#contract/tutor.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { AppError } from '#worker/core/errors.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { RUN_SUBJECT } from '#worker/domain/run/run-subject.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { LEASE_MS } from '#worker/tasks/task-store.ts'
import { CHECKS_MAX, recover } from '../recover.ts'
import { type Driver, fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { audioOf, moduleOf, outcomeOf, runThrough } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'
import { calmDown, drainDue, openWorld, play, seenOf, tick } from '../testing/wild-world.ts'

holdTasks()

const MINUTE = 60_000
const viewer = 'user_viewer'

interface Training {
  id: RunId
  as: string
}

/** A training that is READY after its first run. */
async function ready(audioMs = 3 * MINUTE): Promise<Training> {
  const as = `user_${nanoid(8)}`
  const id = await seedRun(audioMs, { userId: as, title: 'Buttons' })
  await runThrough(openDriver(), id)
  return { id, as }
}

async function remake({ id, as }: Training, json: ReprocessRequest = { from: 'start' }): Promise<RunId> {
  const { run } = await answerOf(ReprocessAnswer, `/api/reprocess/${id.moduleId}`, { as, json })
  return { moduleId: id.moduleId, run }
}

const ownModule = async ({ id, as }: Training) =>
  (await answerOf(ModuleAnswer, `/api/modules/${id.moduleId}`, { as })).module
const stepsOf = ({ id, as }: Training) => answerOf(StepsAnswer, `/api/steps/${id.moduleId}`, { as })
const proposalsOf = async ({ id, as }: Training) =>
  (await answerOf(ProposalsAnswer, `/api/steps/${id.moduleId}/proposals`, { as })).proposals
const save = ({ id, as }: Training, json: object) => answerOf(StepsAnswer, `/api/steps/${id.moduleId}`, { as, json })

/** All that people other than its owner see of a training. */
async function seenByOthers({ id: { moduleId } }: Training) {
  const { module } = await answerOf(ModuleAnswer, `/api/modules/${moduleId}`, { as: viewer })
  const shared = await answerOf(ShareAnswer, `/api/share/${moduleId}`)
  const json = { moduleId, userMessage: 'What do I click?', currentStep: null, allSteps: [], videoTime: 0 }
  const { answer, citations, isCovered } = await answerOf(TutorAnswerBody, '/api/ai/contextual-response', {
    as: `user_${nanoid(8)}`,
    json,
  })
  return {
    module,
    shared,
    steps: await answerOf(StepsAnswer, `/api/steps/${moduleId}`, { as: viewer }),
    transcript: await answerOf(TranscriptAnswer, `/api/transcript/${moduleId}`, { as: viewer }),
    captions: await (await call(`/share/${moduleId}/captions.vtt`)).text(),
    page: (await call(`/share/${moduleId}`, { headers: { accept: 'text/html' } })).status,
    tutor: { answer, citations, isCovered },
    socket: (await problemOf(`/api/share/${moduleId}/live-ticket`, { method: 'POST' })).code,
  }
}

const transcriptOf = ({ id, as }: Training) => answerOf(TranscriptAnswer, `/api/transcript/${id.moduleId}`, { as })

/** Six cues, from a second of the video on. */
function captionsOf(part: string, fromS = 0): string {
  const cue = (n: number) =>
    `00:${String(Math.floor((fromS + n * 10) / 60)).padStart(2, '0')}:${(fromS + n * 10) % 60}.000 --> ` +
    `00:${String(Math.floor((fromS + n * 10 + 8) / 60)).padStart(2, '0')}:${(fromS + n * 10 + 8) % 60}.000\n` +
    `Now open ${part} number ${n} and take the old filter out of it.\n`
  return `WEBVTT\n\n${[0, 1, 2, 3, 4, 5].map(cue).join('\n')}`
}

const LIDS = [0, 1, 2, 3, 4, 5].map((n) => `Now open lid number ${n} and take the old filter out of it.`)

const addCaptions = ({ id, as }: Training, body: string) =>
  call(`/api/captions/${id.moduleId}`, { as, method: 'PUT', headers: { 'content-type': 'text/vtt' }, body })

async function transcriptKeysOf(moduleId: string): Promise<string[]> {
  return (await env.MEDIA.list({ prefix: `transcripts/${moduleId}/` })).objects.map(({ key }) => key)
}

/** A recogniser that answers so many chunks and then says that the allowance is used up. */
const shortAllowance = (chunks: number) =>
  fakeSpeech((chunk, calls) => {
    if (calls > chunks) throw new AppError('ai_quota', 'The daily allowance is used up.')
    return transcribedIn(chunk)
  })

describe('a READY module that is made again', () => {
  it('is for everyone else as it was before, whatever its run has done so far', async () => {
    const training = await ready()
    const before = await seenByOthers(training)
    expect(before).toMatchObject({ module: { status: 'READY', progress: 100 }, page: 200, socket: 'not_in_progress' })
    expect(before.captions).toContain('click the blue button')
    const next = await remake(training)
    const driver = openDriver()
    const progress: (number | undefined)[] = []
    for (let [task] = await driver.listReady(); task !== undefined; [task] = await driver.listReady()) {
      expect(await seenByOthers(training)).toEqual(before)
      const { status, progress: whole, newVersion } = await ownModule(training)
      expect({ status, whole }).toEqual({ status: 'READY', whole: 100 })
      expect(newVersion).toMatchObject({ run: next.run, status: 'PROCESSING', lastError: null })
      progress.push(newVersion?.progress)
      await driver.deliver([task])
    }
    expect(progress.length).toBeGreaterThan(5)
    expect(progress).toEqual(progress.toSorted((a = 0, b = 0) => a - b))
    expect(progress.at(-1)).toBeGreaterThan(50)
    const after = await ownModule(training)
    expect(after).toMatchObject({ status: 'READY', newVersion: null })
    expect(after.steps.every((step) => step.id.startsWith('r2-'))).toBe(true)
    expect((await seenByOthers(training)).transcript.segments[0]?.id).toMatch(/^s2-/)
  })

  it('is listed as being made for its owner, and among the runs in progress of the debug page', async () => {
    const training = await ready(MINUTE)
    const { moduleId } = training.id
    const listed = async () =>
      (await answerOf(ModuleListAnswer, '/api/modules/processing', training)).modules.map((module) => ({
        id: module.id,
        status: module.status,
        newVersion: module.newVersion?.status,
      }))
    const debugged = async () =>
      (await answerOf(DebugListAnswer, '/api/debug/modules/debug?status=processing', training)).modules.map(
        ({ id, status, runStatus }) => [id, status, runStatus],
      )
    expect([await listed(), await debugged()]).toEqual([[], []])
    await remake(training)
    expect(await listed()).toEqual([{ id: moduleId, status: 'READY', newVersion: 'PROCESSING' }])
    expect(await debugged()).toEqual([[moduleId, 'READY', 'PROCESSING']])
    await openDriver().drain()
    expect([await listed(), await debugged()]).toEqual([[], []])
  })

  it('swaps its steps and transcript at one moment, and the pages of anyone with the link soon follow', async () => {
    const training = await ready(MINUTE)
    const driver = openDriver()
    const purged: unknown[] = []
    driver.deps.purges = { send: async (message: unknown) => void purged.push(message) } as unknown as Queue
    await remake(training)
    await driver.drain()
    expect(purged).toContainEqual({ moduleId: training.id.moduleId })
    const { steps } = await stepsOf(training)
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.every((step) => step.id.startsWith('r2-'))).toBe(true)
    expect(await proposalsOf(training)).toEqual([])
    expect((await moduleOf(driver, training.id))?.transcriptKey).toBe(`transcripts/${training.id.moduleId}/2`)
  })

  it('stays as it was, without a step, too, until the new ones are there', async () => {
    const training = await ready(MINUTE)
    await call(`/api/steps/${training.id.moduleId}`, { as: training.as, method: 'DELETE' })
    const before = await answerOf(TranscriptAnswer, `/api/transcript/${training.id.moduleId}`, training)
    await remake(training)
    const driver = openDriver()
    for (let [task] = await driver.listReady(); task !== undefined; [task] = await driver.listReady()) {
      expect(await ownModule(training)).toMatchObject({ status: 'READY', steps: [] })
      expect(await answerOf(TranscriptAnswer, `/api/transcript/${training.id.moduleId}`, training)).toEqual(before)
      await driver.deliver([task])
    }
    expect((await proposalsOf(training)).length).toBeGreaterThan(0)
  })

  it('does all of that for a module that is made again from captions, whose own text is corrected until the end', async () => {
    const training = await ready(MINUTE)
    const { moduleId } = training.id
    const { segments } = await transcriptOf(training)
    await call(`/api/transcript/${moduleId}/${segments[0]?.id}`, {
      as: training.as,
      method: 'PATCH',
      json: { text: 'Now click the green button.' },
    })
    const before = await seenByOthers(training)
    await addCaptions(training, captionsOf('lid'))
    const driver = openDriver()
    for (let [task] = await driver.listReady(); task !== undefined; [task] = await driver.listReady()) {
      expect(await seenByOthers(training)).toEqual(before)
      expect(await ownModule(training)).toMatchObject({
        transcriptSource: 'speech',
        newVersion: { status: 'PROCESSING' },
      })
      await driver.deliver([task])
    }
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: null, transcriptSource: 'captions' })
    const after = await transcriptOf(training)
    expect(after.segments.map(({ text }) => text)).toEqual(LIDS)
    expect(after.orphaned).toEqual([])
    for (const step of (await stepsOf(training)).steps) expect(step.originalText).toContain('lid')
    expect(await transcriptKeysOf(moduleId)).toEqual([(await moduleOf(driver, training.id))?.transcriptKey])
  })

  it('takes the newer of two caption files, whenever it comes', async () => {
    const training = await ready(MINUTE)
    await addCaptions(training, captionsOf('knob'))
    const driver = openDriver()
    const [task] = await driver.listReady()
    await driver.deliver(task === undefined ? [] : [task])
    await addCaptions(training, captionsOf('lid'))
    await driver.drain()
    expect((await transcriptOf(training)).segments.map(({ text }) => text)).toEqual(LIDS)
    // The third finds captions that are the transcript already.
    await addCaptions(training, captionsOf('knob'))
    expect((await transcriptOf(training)).segments.map(({ text }) => text)).toEqual(LIDS)
    await driver.drain()
    expect((await transcriptOf(training)).segments[0]?.text).toContain('knob')
    expect(await transcriptKeysOf(training.id.moduleId)).toHaveLength(1)
  })
})

describe('a new version that cannot be made', () => {
  it('leaves the module READY as it was, and only its owner reads why', async () => {
    const training = await ready()
    const before = await seenByOthers(training)
    const next = await remake(training)
    const driver = openDriver({ speech: shortAllowance(3) })
    await driver.drain()
    expect(await seenByOthers(training)).toEqual(before)
    const { status, lastError, failureCode, newVersion } = await ownModule(training)
    expect({ status, lastError, failureCode }).toEqual({ status: 'READY', lastError: null, failureCode: null })
    expect(newVersion).toMatchObject({
      run: next.run,
      status: 'FAILED',
      lastError: 'The daily allowance is used up.',
      failureCode: 'ai_quota',
    })
    expect(await findRun(driver.deps.db, next)).toMatchObject({ outcome: 'failed', failureCode: 'ai_quota' })
    const debug = await answerOf(DebugListAnswer, '/api/debug/modules/debug?status=failed', training)
    expect(debug.modules).toMatchObject([{ status: 'READY', runStatus: 'FAILED', needsAttention: true }])
  })

  it('goes on where it broke off when it is tried again', async () => {
    const training = await ready()
    await remake(training)
    await openDriver({ speech: shortAllowance(3) }).drain()
    const speech = fakeSpeech()
    const third = await remake(training, { from: 'failed' })
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: { run: 3, status: 'PROCESSING' } })
    const driver = openDriver({ speech })
    await driver.drain()
    expect(speech.calls).toHaveLength(((await findRun(driver.deps.db, third))?.chunkCount ?? 0) - 3)
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: null })
  })

  it('a new version that cannot be made from captions leaves everything as it was, also corrections, and is made from them when it is tried again', async () => {
    const training = await ready(MINUTE)
    const { segments } = await transcriptOf(training)
    const path = `/api/transcript/${training.id.moduleId}/${segments[0]?.id}`
    await call(path, { as: training.as, method: 'PATCH', json: { text: 'Now click the green button.' } })
    const before = await seenByOthers(training)
    await addCaptions(training, captionsOf('lid'))
    const driver = openDriver()
    await env.DB.prepare('UPDATE modules SET redrives = ?, updated_at = ? WHERE id = ?')
      .bind(CHECKS_MAX, Date.now() - 20 * MINUTE, training.id.moduleId)
      .run()
    await env.DB.prepare("DELETE FROM task_queue WHERE subject_id GLOB ? || '*'").bind(training.id.moduleId).run()
    expect(await recover(driver.deps, training.id.moduleId)).toBeNull()
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: { status: 'FAILED' } })
    expect(await seenByOthers(training)).toEqual(before)
    await remake(training, { from: 'failed' })
    await driver.drain()
    expect(await ownModule(training)).toMatchObject({ newVersion: null, transcriptSource: 'captions' })
    expect((await transcriptOf(training)).segments.map(({ text }) => text)).toEqual(LIDS)
  })

  it('is given up by the watchdog after twenty minutes of silence', async () => {
    const training = await ready(MINUTE)
    await remake(training)
    await env.DB.prepare('UPDATE modules SET redrives = ?, updated_at = ? WHERE id = ?')
      .bind(CHECKS_MAX, Date.now() - 20 * MINUTE, training.id.moduleId)
      .run()
    await env.DB.prepare("DELETE FROM task_queue WHERE subject_id GLOB ? || '*'").bind(training.id.moduleId).run()
    expect(await recover(openDriver().deps, training.id.moduleId)).toBeNull()
    expect(await ownModule(training)).toMatchObject({
      status: 'READY',
      newVersion: { status: 'FAILED', failureCode: 'gave_up' },
    })
  })

  it('loses what it has cut after a week, and the module nothing', async () => {
    const training = await ready()
    await remake(training)
    const driver = openDriver({ speech: shortAllowance(3) })
    await driver.drain()
    expect((await audioOf(training.id.moduleId)).length).toBeGreaterThan(0)
    const before = await seenByOthers(training)
    driver.deps.nowMs = () => Date.now() + (7 * 24 + 1) * 60 * MINUTE
    await sweepHere(driver.deps)
    expect(await audioOf(training.id.moduleId)).toEqual([])
    expect(await seenByOthers(training)).toEqual(before)
  })
})

describe('steps that a person changes', () => {
  it.each([
    ['changed', (steps: StepsAnswer['steps']) => steps.map((step, n) => (n === 0 ? { ...step, title: 'Mine' } : step))],
    ['added', (steps: StepsAnswer['steps']) => [...steps, { title: 'Mine', start: 1, end: 9, isManual: true }]],
    ['removed', (steps: StepsAnswer['steps']) => steps.slice(1)],
    ['moved', (steps: StepsAnswer['steps']) => steps.toReversed()],
  ])('stay when one was %s while it is made again', { tags: 'guarantee-G5' }, async (_what, edit) => {
    const training = await ready()
    await remake(training)
    const driver = openDriver()
    const [task] = await driver.listReady()
    await driver.deliver(task === undefined ? [] : [task])
    const saved = await save(training, { steps: edit((await stepsOf(training)).steps) })
    await driver.drain()
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: null })
    expect((await stepsOf(training)).steps).toEqual(saved.steps)
  })

  it('steps that a person changes stay when one was changed at the very moment at which the run ends', {
    tags: 'guarantee-G5',
  }, async () => {
    const training = await ready()
    const { steps } = await stepsOf(training)
    await remake(training)
    const driver = openDriver()
    let saved: StepsAnswer | null = null
    const { bucket } = driver.deps
    // The transcript is stored between what the end is based on and the end.
    const put = async (...[key, ...rest]: Parameters<R2Bucket['put']>) => {
      if (key.startsWith('transcripts/')) {
        saved ??= await save(training, { steps: steps.map((step, n) => (n === 0 ? { ...step, title: 'Mine' } : step)) })
      }
      return bucket.put(key, ...rest)
    }
    driver.deps.bucket = new Proxy(bucket, {
      get: (target, name) => {
        if (name === 'put') return put
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await driver.drain()
    expect(saved).not.toBeNull()
    expect((await stepsOf(training)).steps).toEqual((saved as StepsAnswer | null)?.steps)
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: null })
  })

  it('steps that a person changes are offered what is new, and nothing that is the same', async () => {
    const training = await ready()
    const { steps } = await stepsOf(training)
    await save(training, { steps: steps.map((step, n) => (n === 0 ? { ...step, title: 'Mine' } : step)) })
    await remake(training)
    await openDriver().drain()
    const offered = await proposalsOf(training)
    expect(offered.map(({ title, start }) => [title, start])).toEqual([[steps[0]?.title, steps[0]?.start]])
    expect(offered[0]?.replaces).toEqual([steps[0]?.id])
  })

  it('steps that a person changes are not asked about where the new version is the same', async () => {
    const training = await ready()
    await save(training, { steps: (await stepsOf(training)).steps.toReversed() })
    await remake(training)
    await openDriver().drain()
    expect(await proposalsOf(training)).toEqual([])
  })
})

describe('lines of the transcript that are corrected while a module is made again', () => {
  it('lines of the transcript that are corrected while a module is made again are stored at once, and stay corrected in the new version', async () => {
    const training = await ready(MINUTE)
    await remake(training)
    const driver = openDriver()
    const [task] = await driver.listReady()
    await driver.deliver(task === undefined ? [] : [task])
    const path = `/api/transcript/${training.id.moduleId}`
    const { segments } = await answerOf(TranscriptAnswer, path, training)
    const [line] = segments
    const json = { text: 'Now click the red button.', was: line?.text }
    expect((await call(`${path}/${line?.id}`, { as: training.as, method: 'PATCH', json })).status).toBe(200)
    await driver.drain()
    const after = await answerOf(TranscriptAnswer, path, training)
    expect(after.segments[0]).toMatchObject({ text: 'Now click the red button.', isEdited: true })
    expect(after.segments[0]?.id).toMatch(/^s2-/)
    expect((await stepsOf(training)).steps[0]?.originalText).toContain('Now click the red button.')
  })
})

describe('faults while a READY module is made again', () => {
  /** As a worker that was killed: what it claimed is never settled. */
  async function loseClaims(driver: Driver): Promise<number> {
    const lost = await claimTasks(driver.deps.d1, {
      kind: 'transcribe',
      subject: RUN_SUBJECT,
      limit: 6,
      bytes: Number.MAX_SAFE_INTEGER,
      isIdle: true,
      nowMs: driver.deps.nowMs(),
    })
    return lost.length
  }

  it('a worker that is killed is recovered from by the alarm’s check, and by the cron', {
    tags: 'fault-15',
  }, async () => {
    const training = await ready()
    const next = await remake(training)
    const driver = openDriver()
    await driver.deliver([{ kind: 'ingest', ...next }])
    expect(await loseClaims(driver)).toBeGreaterThan(0)
    await driver.drain()
    expect(await ownModule(training)).toMatchObject({ newVersion: { status: 'PROCESSING' } })
    driver.deps.nowMs = () => Date.now() + 2 * MINUTE + LEASE_MS
    expect((await sweepHere(driver.deps)).quiet).toBeGreaterThan(0)
    expect(driver.rung).toContainEqual({ kind: 'transcribe' })
    await driver.drain()
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: null })
    expect((await stepsOf(training)).steps.every((step) => step.id.startsWith('r2-'))).toBe(true)
  })

  it('is deleted and restored in the middle, and goes on', { tags: 'fault-18' }, async () => {
    const training = await ready()
    const next = await remake(training)
    const driver = openDriver()
    await driver.deliver([{ kind: 'ingest', ...next }])
    await call(`/api/modules/${training.id.moduleId}`, { as: training.as, method: 'DELETE' })
    expect(await driver.listReady()).toEqual([])
    await call(`/api/modules/${training.id.moduleId}/restore`, { as: training.as, method: 'POST' })
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: { status: 'PROCESSING' } })
    await driver.drain()
    expect(await ownModule(training)).toMatchObject({ status: 'READY', newVersion: null })
  })

  it('ends once, and as if nothing had happened, and never leaves READY', {
    tags: ['guarantee-G2', 'guarantee-G3'],
    timeout: 100_000,
  }, async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {})
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    const begin = async () => {
      const world = await openWorld()
      await drainDue(world)
      const module = await moduleOf(world, world.id)
      if (module === null) throw new Error('no module')
      await reprocessModule(world.deps, module, { from: 'start' })
      return world
    }
    const plain = await begin()
    await drainDue(plain)
    const expected = await seenOf(plain)
    await fc.assert(
      fc.asyncProperty(fc.array(tick, { minLength: 4, maxLength: 12 }), async (ticks) => {
        const world = await begin()
        const before = await outcomeOf(world, world.id)
        for (const each of ticks) {
          await play(world, each)
          const now = await moduleOf(world, world.id)
          expect(now?.status).toBe('READY')
          if (now?.runStatus !== 'READY') expect(await outcomeOf(world, world.id)).toEqual(before)
        }
        await calmDown(world)
        const { runStatus } = (await moduleOf(world, world.id)) ?? {}
        expect(runStatus).not.toBe('PROCESSING')
        if (runStatus === 'READY') expect(await seenOf(world)).toEqual(expected)
        else expect(await outcomeOf(world, world.id)).toEqual(before)
      }),
      { numRuns: Math.ceil(Number(env.FAULT_RUNS || 40) / 4) },
    )
    errors.mockClear()
  })
})

it('a module that is made for the first time shows its steps as they are written, as before', async () => {
  const as = `user_${nanoid(8)}`
  const id = await seedRun(3 * MINUTE, { userId: as })
  const driver = openDriver()
  const seen: [Module['status'], number][] = []
  for (let [task] = await driver.listReady(); task !== undefined; [task] = await driver.listReady()) {
    await driver.deliver([task])
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id.moduleId}`, { as })
    expect(module.newVersion).toBeNull()
    seen.push([module.status, module.steps.length])
  }
  expect(seen.some(([status, steps]) => status === 'PROCESSING' && steps > 0)).toBe(true)
  expect(seen.at(-1)?.[0]).toBe('READY')
})
