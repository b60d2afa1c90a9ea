// Behaviour: the outline of a run, from the transcript to the list of steps.
import { describe, expect, it, vi } from 'vitest'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf } from '#local/testing/api.ts'
import { AppError } from '#worker/core/errors.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import type { OutlinedStep, OutlineEntry, OutlineTask, StepWindow, StepWriter } from '#worker/ports/language-model.ts'
import { beginUpload, pickFile } from '../testing/browser-upload.ts'
import { fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { checkSteps, moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

/** Three sections: one chunk, two, and the rest. */
const AUDIO_MS = 150_000

/** A writer that makes a step of every segment, and entries as the test says. */
function outliner(answer: (task: OutlineTask, call: number) => OutlineEntry[]) {
  const outlined: OutlineTask[] = []
  const windows: StepWindow[] = []
  const writer: StepWriter = {
    name: 'fake',
    writeSteps: async (window) => {
      windows.push(window)
      return window.segments.map(({ id, text }) => ({
        segmentIds: [id],
        title: `Next page ${id}`,
        description: text,
      }))
    },
    outline: async (task) => answer(task, outlined.push(task)),
  }
  return { writer, outlined, windows }
}

async function openRun(writer: StepWriter, speech = fakeSpeech()) {
  const userId = `user_${crypto.randomUUID()}`
  const driver = openDriver({ speech, stepWriter: writer })
  const id = await seedRun(AUDIO_MS, { userId })
  const read = () => answerOf(StepsAnswer, `/api/steps/${id.moduleId}`, { as: userId })
  const save = (steps: unknown[], version: number) =>
    answerOf(StepsAnswer, `/api/steps/${id.moduleId}`, { as: userId, json: { steps, version } })
  return { driver, id, read, save }
}

/** Does all until only the task of the outline is ready, which stands behind those of the sections. */
async function drainUntilOutline({ driver }: Awaited<ReturnType<typeof openRun>>): Promise<void> {
  for (;;) {
    const ready = (await driver.listReady()).filter(({ kind, index }) => kind !== 'write_steps' || index < 3)
    if (ready.length === 0) return
    await driver.deliver(ready)
  }
}

/** The number of the line with which a step begins. */
const firstLineOf = (step: OutlinedStep | undefined) => step?.lines[0]?.line ?? 0

const joinPairs = ({ steps }: OutlineTask) =>
  steps.flatMap((step, at) => (at % 2 === 0 ? [{ first: firstLineOf(step), title: `Entry, ${step.title}` }] : []))

describe('the outline of a run', () => {
  it('shows the finer steps until one change at READY, with ids that were there', async () => {
    const { writer, outlined } = outliner(joinPairs)
    const run = await openRun(writer)
    await drainUntilOutline(run)
    const live = await run.read()
    expect(await moduleOf(run.driver, run.id)).toMatchObject({ status: 'PROCESSING' })
    expect(live.steps.length).toBeGreaterThan(5)
    expect(outlined).toHaveLength(0)
    await run.driver.drain()
    expect(await moduleOf(run.driver, run.id)).toMatchObject({ status: 'READY' })
    const { steps } = await run.read()
    expect(outlined).toHaveLength(1)
    expect(outlined[0]?.steps.length).toBeGreaterThanOrEqual(live.steps.length)
    expect(steps).toHaveLength(Math.ceil((outlined[0]?.steps.length ?? 0) / 2))
    expect(steps.every(({ title }) => title.startsWith('Entry, '))).toBe(true)
    expect(live.steps.map(({ id }) => id)).toEqual(expect.arrayContaining(steps.slice(0, -1).map(({ id }) => id)))
    expect(await checkSteps(run.driver, run.id)).toBe(steps.length)
  })

  it('begins an entry inside of a step, and loses no word', async () => {
    const { writer, outlined } = outliner(({ steps }) => [
      { first: 1, title: 'Button begins' },
      { first: (steps[1]?.lines[1]?.line ?? 0) + 1, title: 'Button goes on' },
    ])
    const wide: StepWriter = {
      ...writer,
      writeSteps: async ({ segments }) => [
        {
          segmentIds: segments.map(({ id }) => id),
          title: `Next page ${segments[0]?.id}`,
          description: 'Do all of it.',
        },
      ],
    }
    const run = await openRun(wide)
    await run.driver.drain()
    const steps = await listSteps(run.driver.deps.db, run.id.moduleId)
    const lines = (outlined[0]?.steps ?? []).flatMap((step) => step.lines)
    const begun = lines.findIndex(({ line }) => line === (outlined[0]?.steps[1]?.lines[2]?.line ?? 0))
    expect(steps.map(({ title, startMs }) => [title, startMs])).toEqual([
      ['Button begins', lines[0]?.startMs],
      ['Button goes on', lines[begun]?.startMs],
    ])
    expect(steps.map(({ segmentIds }) => segmentIds.length)).toEqual([begun, lines.length - begun])
    expect(steps.map(({ originalText }) => originalText).join(' ')).toBe(lines.map(({ text }) => text).join(' '))
    expect(await checkSteps(run.driver, run.id)).toBe(2)
  })

  it('puts the steps of a long list under chapters, with those that a person has changed', async () => {
    const { writer } = outliner(({ steps }) =>
      steps.map((step, at) => ({
        first: firstLineOf(step),
        title: step.title,
        ...(at % 6 === 0 && { chapter: `Chapter from ${at}` }),
      })),
    )
    const run = await openRun(writer)
    await drainUntilOutline(run)
    const { steps, meta } = await run.read()
    expect(steps.length).toBeGreaterThanOrEqual(12)
    await run.save([...steps.slice(0, 1), { ...steps[1], title: 'My own words' }, ...steps.slice(2)], meta.version)
    await run.driver.drain()
    const after = await run.read()
    expect(after.steps[1]?.title).toBe('My own words')
    expect(after.steps.map(({ chapter }) => chapter)).toEqual(
      after.steps.map((_step, at) => `Chapter from ${at - (at % 6)}`),
    )
  })

  it('keeps the notes of a model, and never writes over those that a person has changed', {
    tags: 'spec-3.13',
  }, async () => {
    const { writer } = outliner(joinPairs)
    const noting: StepWriter = {
      ...writer,
      writeSteps: async (window, signal) =>
        (await writer.writeSteps(window, signal)).map((draft) => ({ ...draft, notes: `${draft.description}.` })),
    }
    const run = await openRun(noting)
    await drainUntilOutline(run)
    const { steps, meta } = await run.read()
    expect(steps.every(({ notes, originalText }) => notes === `${originalText}.`)).toBe(true)
    const [first, second, ...others] = steps
    await run.save([first, { ...second, notes: 'My own note.' }, ...others], meta.version)
    await run.driver.drain()
    const after = await run.read()
    const own = after.steps.find(({ id }) => id === second?.id)
    expect(own).toMatchObject({ notes: 'My own note.', notesEdited: true, title: second?.title })
    const outlined = after.steps.filter(({ title }) => title.startsWith('Entry, '))
    expect(outlined.length).toBeGreaterThan(1)
    expect(outlined.every(({ notes, notesEdited }) => notes !== '' && !notesEdited)).toBe(true)
  })

  it.each([
    ['fails', () => new AppError('ai_failed', 'Refused by the model.'), 1],
    ['has no budget left', () => new AppError('ai_quota', 'The limit of the day is reached.'), 1],
    ['takes too long', () => new AppError('ai_timeout', 'Too slow.'), 1],
  ])('leaves the list as it is where the model %s', async (_what, error, calls) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { writer, outlined } = outliner(() => {
      throw error()
    })
    const run = await openRun(writer)
    await run.driver.drain()
    expect(await moduleOf(run.driver, run.id)).toMatchObject({ status: 'READY' })
    expect(outlined).toHaveLength(calls)
    expect((await run.read()).steps).toHaveLength(outlined[0]?.steps.length ?? 0)
  })

  it('never joins a step that a person has changed, and does not restore one that was removed', async () => {
    const { writer } = outliner(({ steps }) => [
      { first: 1, title: 'All buttons' },
      { first: firstLineOf(steps.at(-1)), title: 'Last button' },
    ])
    const run = await openRun(writer)
    await drainUntilOutline(run)
    const { steps, meta } = await run.read()
    const [, second, ...others] = steps
    await run.save([{ ...second, title: 'My own words' }, ...others], meta.version)
    await run.driver.drain()
    const after = await run.read()
    expect(await moduleOf(run.driver, run.id)).toMatchObject({ status: 'READY' })
    expect(after.steps.map(({ id }) => id)).not.toContain(steps[0]?.id)
    expect(after.steps.find(({ id }) => id === second?.id)?.title).toBe('My own words')
    expect(after.steps.length).toBeGreaterThanOrEqual(steps.length - 1)
  })

  it('gives no title with a word that was never surely said', async () => {
    const speech = fakeSpeech((chunk) => {
      const { words, language } = transcribedIn(chunk)
      return { words: words.map((word) => (word.text === 'button' ? { ...word, confidence: 0.2 } : word)), language }
    })
    const titled = (title: string) =>
      outliner(({ steps }) => [
        { first: 1, title },
        { first: firstLineOf(steps.at(-1)), title: 'Last page' },
      ])
    const titlesOf = async (title: string) => {
      const run = await openRun(titled(title).writer, speech)
      await run.driver.drain()
      return (await run.read()).steps.map((step) => step.title)
    }
    expect(await titlesOf('Open the pages')).toEqual(['Open the pages', 'Last page'])
    expect(await titlesOf('Click the buttons')).toEqual([expect.stringMatching(/^Next page s1-/), 'Last page'])
  })

  it('is not asked for where there are too few steps to join', async () => {
    const { writer, outlined } = outliner(joinPairs)
    const few: StepWriter = {
      ...writer,
      writeSteps: async ({ segments }) => [
        { segmentIds: segments.map(({ id }) => id), title: 'Do all of it', description: '', continues: true },
      ],
    }
    const run = await openRun(few)
    await run.driver.drain()
    expect(await moduleOf(run.driver, run.id)).toMatchObject({ status: 'READY' })
    expect(outlined).toHaveLength(0)
  })

  it('lets a later section know the titles of the steps before it', async () => {
    const { writer, windows } = outliner(joinPairs)
    const run = await openRun(writer)
    await run.driver.drain((ready) => ready.slice(0, 1))
    const [first, ...later] = windows
    expect(first?.titles ?? []).toEqual([])
    for (const { titles = [], segments } of later) {
      expect(titles.at(-1)).toMatch(/^Next page s1-/)
      expect(titles).not.toContain(`Next page ${segments[0]?.id}`)
    }
  })

  it('is made while the rest of the video is on its way, and once', async () => {
    const { writer, outlined } = outliner(joinPairs)
    const driver = openDriver({ speech: fakeSpeech(), stepWriter: writer })
    const upload = await beginUpload(driver, await pickFile(AUDIO_MS))
    await upload.sendAllAudio()
    await driver.drain()
    expect(outlined).toHaveLength(1)
    expect(await moduleOf(driver, upload)).toMatchObject({
      status: 'PROCESSING',
      message: 'Waiting for the rest of the video',
    })
    await upload.sendVideo()
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY' })
    expect(outlined).toHaveLength(1)
    const titles = (await listSteps(driver.deps.db, upload.moduleId)).map(({ title }) => title)
    expect(titles).toEqual(joinPairs(outlined[0] as OutlineTask).map(({ title }) => title))
  })
})
