import { beforeEach, describe, expect, test } from 'vitest'
import type { Step, StepsAnswer } from '#contract/step.ts'
import { idsOf, makeStep } from '#contract/testing/examples.ts'
import { type KnownSteps, SaveQueue } from './save-queue.ts'
import { applyChange, applyChanges, moveTo, type StepChange } from './step-change.ts'

class Stale extends Error {
  readonly theirs: KnownSteps
  constructor(theirs: KnownSteps) {
    super('stale')
    this.theirs = theirs
  }
}

/** A server with Adapt's rule: a save is stale when another person saved after the version that it carries. */
let server: KnownSteps
/** What this page knows of it. */
let page: KnownSteps
let sent: { change: StepChange; version: number }[]
let broken: Error | null
let queue: SaveQueue

function save(steps: readonly Step[]) {
  const version = server.version + 1
  server = { steps, version, editedVersion: version }
}

const loadLatest = () => {
  page = server
}

async function send(change: StepChange, known: KnownSteps): Promise<StepsAnswer> {
  sent.push({ change, version: known.version })
  await Promise.resolve()
  if (broken !== null) throw broken
  if (server.editedVersion > known.version) throw new Stale(server)
  save(applyChange(server.steps, change))
  const meta = { durationSec: null, transcriptSource: null, cuts: [], ...server }
  return { success: true, steps: [...server.steps], transcript: '', meta }
}

const edit = (step: Step, title: string): StepChange => ({ kind: 'replace', ids: [step.id], by: [{ ...step, title }] })
const titles = (steps: readonly Step[]) => steps.map((step) => step.title)
const settled = () => new Promise((resolve) => setTimeout(resolve))

const LIST = ['a', 'b', 'c'].map((id, index) => makeStep(id, index * 20))
const [A, B] = LIST as [Step, Step]

beforeEach(() => {
  server = { steps: LIST, version: 1, editedVersion: 0 }
  page = server
  sent = []
  broken = null
  queue = new SaveQueue({
    read: () => page,
    send,
    keep: async (known) => {
      page = known
    },
    readConflict: (error) => (error instanceof Stale ? error.theirs : null),
  })
})

describe('SaveQueue', () => {
  test('saves one after the other, each with the version of the answer before it', async () => {
    const first = queue.push({ change: edit(A, 'One') })
    const second = queue.push({ change: moveTo(LIST, 'a', 2) })
    expect(queue.store.getState().changes).toHaveLength(2)
    expect(sent).toHaveLength(1)
    expect(await first).toEqual({ kind: 'saved', version: 2 })
    expect(await second).toEqual({ kind: 'saved', version: 3 })
    expect(sent.map(({ version }) => version)).toEqual([1, 2])
    expect(titles(server.steps)).toEqual(['Title b', 'Title c', 'One'])
    expect(queue.store.getState().changes).toEqual([])
  })

  test('drops a failed save, shows the list of the server, and runs the next save', async () => {
    broken = new Error('no line')
    const move = queue.push({ change: moveTo(LIST, 'a', 2) })
    expect(idsOf(applyChanges(page.steps, queue.store.getState().changes))).toBe('bca')
    expect(await move).toEqual({ kind: 'failed', error: broken })
    expect(idsOf(applyChanges(page.steps, queue.store.getState().changes))).toBe('abc')
    broken = null
    expect(await queue.push({ change: edit(A, 'One') })).toMatchObject({ kind: 'saved' })
  })

  test('is no conflict with steps that the pipeline added meanwhile', async () => {
    server = { ...server, steps: [...LIST, makeStep('d', 60)], version: 2 }
    expect(await queue.push({ change: edit(A, 'One'), base: A, seenVersion: 1 })).toMatchObject({ kind: 'saved' })
    expect(titles(page.steps)).toEqual(['One', 'Title b', 'Title c', 'Title d'])
  })

  test('is no conflict with what the pipeline made of the same step', async () => {
    server = { ...server, steps: [{ ...A, title: 'From the pipeline' }, B], version: 2 }
    loadLatest()
    expect(await queue.push({ change: edit(A, 'One'), base: A, seenVersion: 1 })).toMatchObject({ kind: 'saved' })
  })

  test('is no conflict with what the same person saved before', async () => {
    await queue.push({ change: edit(A, 'One'), base: A, seenVersion: 1 })
    expect(await queue.push({ change: edit(B, 'Two'), base: B, seenVersion: 1 })).toMatchObject({ kind: 'saved' })
  })

  test('is no conflict with what the same person saved before of the same step', async () => {
    await queue.push({ change: edit(A, 'One'), base: A, seenVersion: 1 })
    expect(queue.isForeignSince(1)).toBe(false)
    expect(await queue.push({ change: edit(A, 'Two'), base: A, seenVersion: 1 })).toMatchObject({ kind: 'saved' })
    expect(queue.store.getState().conflict).toBeNull()
  })
})

describe('another person who saved in between', () => {
  test('is shown beside the own version, and the own one is saved on top of theirs when it is kept', async () => {
    save([
      { ...A, title: 'Theirs' },
      { ...B, title: 'Theirs too' },
    ])
    const outcome = queue.push({ change: edit(A, 'Mine'), base: A, seenVersion: 1 })
    await settled()
    const { conflict } = queue.store.getState()
    expect(titles(conflict?.mine ?? [])).toEqual(['Mine', 'Theirs too'])
    expect(titles(conflict?.theirs ?? [])).toEqual(['Theirs', 'Theirs too'])
    queue.choose('mine')
    expect(await outcome).toMatchObject({ kind: 'saved' })
    expect(queue.store.getState().conflict).toBeNull()
    expect(titles(server.steps)).toEqual(['Mine', 'Theirs too'])
  })

  test('wins where their version is taken', async () => {
    save([{ ...A, title: 'Theirs' }, B])
    const outcome = queue.push({ change: edit(A, 'Mine') })
    await settled()
    queue.choose('theirs')
    expect(await outcome).toEqual({ kind: 'dropped' })
    expect(titles(page.steps)).toEqual(['Theirs', 'Title b'])
    expect(sent).toHaveLength(1)
  })

  test('can be postponed: nothing is saved, and the next save shows the conflict again', async () => {
    save([{ ...A, title: 'Theirs' }, B])
    const first = queue.push({ change: edit(A, 'Mine'), base: A, seenVersion: 1 })
    await settled()
    queue.choose('later')
    expect(await first).toEqual({ kind: 'held' })
    expect(titles(server.steps)).toEqual(['Theirs', 'Title b'])
    void queue.push({ change: edit(A, 'Mine'), base: A, seenVersion: 1 })
    await settled()
    expect(titles(queue.store.getState().conflict?.mine ?? [])).toEqual(['Mine', 'Title b'])
  })

  test('is also noticed when the page has loaded the other version before the save', async () => {
    save([{ ...A, title: 'Theirs' }, B])
    loadLatest()
    const outcome = queue.push({ change: edit(A, 'Mine'), base: A, seenVersion: 1 })
    await settled()
    expect(sent).toEqual([])
    expect(titles(queue.store.getState().conflict?.theirs ?? [])).toEqual(['Theirs', 'Title b'])
    queue.choose('mine')
    expect(await outcome).toMatchObject({ kind: 'saved' })
    expect(titles(server.steps)).toEqual(['Mine', 'Title b'])
  })

  test('is still noticed after an own save of another step', async () => {
    save([{ ...A, title: 'Theirs' }, B])
    loadLatest()
    expect(await queue.push({ change: edit(B, 'Mine'), base: B, seenVersion: 2 })).toMatchObject({ kind: 'saved' })
    void queue.push({ change: edit(A, 'Mine too'), base: A, seenVersion: 1 })
    await settled()
    expect(queue.store.getState().conflict).not.toBeNull()
  })

  test('is no conflict when they changed another step and the page has loaded it', async () => {
    save([A, { ...B, title: 'Theirs' }])
    loadLatest()
    expect(await queue.push({ change: edit(A, 'Mine'), base: A, seenVersion: 1 })).toMatchObject({ kind: 'saved' })
    expect(titles(server.steps)).toEqual(['Mine', 'Theirs'])
  })

  test('is shown when they removed the step that is edited', async () => {
    save([B])
    loadLatest()
    const outcome = queue.push({ change: edit(A, 'Mine'), base: A, seenVersion: 1 })
    await settled()
    expect(titles(queue.store.getState().conflict?.mine ?? [])).toEqual(['Mine', 'Title b'])
    queue.choose('theirs')
    expect(await outcome).toEqual({ kind: 'dropped' })
  })

  test('is shown again when they save once more before the choice', async () => {
    save([{ ...A, title: 'Theirs' }, B])
    const outcome = queue.push({ change: edit(A, 'Mine') })
    await settled()
    save([{ ...A, title: 'Theirs again' }, B])
    queue.choose('mine')
    await settled()
    expect(titles(queue.store.getState().conflict?.theirs ?? [])).toEqual(['Theirs again', 'Title b'])
    queue.choose('mine')
    expect(await outcome).toMatchObject({ kind: 'saved' })
  })

  test('holds back later changes until the choice, and they are saved then', async () => {
    save([{ ...A, title: 'Theirs' }, B])
    void queue.push({ change: edit(A, 'Mine') })
    const later = queue.push({ change: { kind: 'replace', ids: ['b'], by: [] } })
    await settled()
    expect(sent).toHaveLength(1)
    queue.choose('theirs')
    expect(await later).toMatchObject({ kind: 'saved' })
    expect(titles(server.steps)).toEqual(['Theirs'])
  })
})
