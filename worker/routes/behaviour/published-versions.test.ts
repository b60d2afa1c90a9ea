// Behaviour: what learners see is always one published version, whatever happens to the draft.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { ERASE_WORD, EraseAnswer } from '#contract/account.ts'
import { nameInVideo } from '#contract/image-url.ts'
import { Done, ModuleAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer } from '#contract/step.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { videoMarkOf } from '#worker/domain/module/video-id.ts'
import { openLearnerView } from '#worker/domain/version/learner-view.ts'
import { readVersion } from '#worker/domain/version/publish-version.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import { seedVideo } from '../testing/seed-video.ts'

holdTasks()

/** What a training says, in its own language and in Spanish. */
interface Said {
  title: string
  /** In order of time, which is that of their ids. */
  steps: { id: string; title: string }[]
  line: string
  /** What the video is. */
  video: string
  spanishTitle: string
  /** Answers of the trainer that stand in print. */
  printed: string[]
}

type Move =
  | { kind: 'edit'; titles: string[] }
  | { kind: 'rename'; title: string }
  | { kind: 'correct'; text: string }
  | { kind: 'translate'; text: string }
  | { kind: 'print'; text: string }
  | { kind: 'replace'; image: number }
  | { kind: 'record'; line: string }
  | { kind: 'bring-back'; pick: number }
  | { kind: 'publish' }
  | { kind: 'restore'; pick: number }
  | { kind: 'switch' }
  | { kind: 'erase' }
  | { kind: 'delete' }

const word = fc.stringMatching(/^[A-Z][a-z]{3,8}$/)
const MOVES: fc.Arbitrary<Move>[] = [
  fc.record({ kind: fc.constant('edit'), titles: fc.array(word, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('rename'), title: word }),
  fc.record({ kind: fc.constant('correct'), text: word }),
  fc.record({ kind: fc.constant('translate'), text: word }),
  fc.record({ kind: fc.constant('print'), text: word }),
  fc.record({ kind: fc.constant('replace'), image: fc.nat(255) }),
  fc.record({ kind: fc.constant('record'), line: word }),
  fc.record({ kind: fc.constant('bring-back'), pick: fc.nat(9) }),
  fc.record({ kind: fc.constant('publish') }),
  fc.record({ kind: fc.constant('publish') }),
  fc.record({ kind: fc.constant('restore'), pick: fc.nat(9) }),
  fc.record({ kind: fc.constant('switch') }),
  fc.record({ kind: fc.constant('erase') }),
  fc.record({ kind: fc.constant('delete') }),
]

/** Every kind of move, of which few chosen at random are all. */
const ALL_MOVES: Move[] = [
  { kind: 'edit', titles: ['Open', 'Clean', 'Close'] },
  { kind: 'replace', image: 1 },
  { kind: 'translate', text: 'Primero' },
  { kind: 'publish' },
  { kind: 'record', line: 'Again' },
  { kind: 'restore', pick: 0 },
  { kind: 'edit', titles: ['Opened'] },
  { kind: 'bring-back', pick: 1 },
  { kind: 'delete' },
  { kind: 'publish' },
  { kind: 'erase' },
  { kind: 'record', line: 'Once more' },
  { kind: 'replace', image: 2 },
  { kind: 'correct', text: 'Twice' },
  { kind: 'print', text: 'So' },
  { kind: 'rename', title: 'Second' },
  { kind: 'switch' },
  { kind: 'switch' },
]

/** What is known of an image of the first step, under the name that it has in its video. */
interface KnownImage {
  bytes: Uint8Array | null
  isPublished: boolean
}
const UNKNOWN: KnownImage = { bytes: null, isPublished: false }

/** A training with what its draft says, and what each of its versions said when it was published, by a colleague. */
async function seedTraining() {
  const as = `user_${nanoid(8)}`
  const orgId = `org_${nanoid(8)}`
  const owner = { userId: as, orgId, durationMs: 60_000 }
  const { id } = await seedVideo({ ...owner, languages: ['es'], title: 'First' }, ['Heard'], 'video 0')
  const draft: Said = { title: 'First', steps: [], line: 'Heard', video: 'video 0', spanishTitle: 'First', printed: [] }
  const translated = { of: '', text: '' }
  const images = new Map([['step-0', { ...UNKNOWN }]])
  const colleague = { as: `user_${nanoid(8)}`, orgId, orgRole: 'org:member' }
  const removed = new Map<string, string>()
  const state = {
    draft,
    translated,
    images,
    /** Of the current video. */
    imageName: 'step-0',
    colleague,
    removed,
    versions: [] as Said[],
    published: null as number | null,
  }
  return { id, as, owner, state }
}

type Training = Awaited<ReturnType<typeof seedTraining>>

const clone = (said: Said): Said => structuredClone(said)

/** Another list of steps, in which some of those before are not. */
function setSteps({ state: { draft, removed } }: Training, steps: Said['steps']): void {
  for (const { id, title } of draft.steps) if (!steps.some((step) => step.id === id)) removed.set(id, title)
  draft.steps = steps
}

/** Makes a version the draft again; one with another video stays what it is. */
async function restore(training: Training, pick: number, stepsVersion: number): Promise<void> {
  const { id, as, state } = training
  if (state.versions.length === 0) return
  const index = pick % state.versions.length
  const { title, steps, video } = state.versions[index] as Said
  const answer = await call(`/api/versions/${id}/${index + 1}/restore`, { as, json: { stepsVersion } })
  await answer.body?.cancel()
  expect(answer.status).toBe(video === state.draft.video ? 200 : 400)
  if (answer.status !== 200) return
  setSteps(training, steps)
  state.draft.title = title
}

/** Has the training take the video of a new recording, with all steps where they were. */
async function record({ id, as, owner, state }: Training, line: string): Promise<void> {
  const { draft, images } = state
  draft.video = `${draft.video}+`
  const recording = await seedVideo({ ...owner, replacesId: id, shared: false }, [line], draft.video)
  const { steps, stepsVersion: version } = (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })).module
  const placed = steps.map(({ id: stepId, start, end }) => ({ id: stepId, start, end }))
  const json = { recordingId: recording.id, version, steps: placed }
  await answerOf(StepsAnswer, `/api/recordings/${id}`, { as, json })
  draft.line = line
  // What no version shows is gone with its video.
  for (const image of images.values()) if (!image.isPublished) image.bytes = null
  state.imageName = nameInVideo('step-0', videoMarkOf({ id, sourceKey: recording.sourceKey }))
  images.set(state.imageName, { ...UNKNOWN })
}

/** Restores one of the steps that were removed, if there are any. */
async function bringBack({ id, as, state: { draft, removed } }: Training, pick: number): Promise<void> {
  const ids = [...removed.keys()].filter((stepId) => !draft.steps.some((step) => step.id === stepId)).toSorted()
  const stepId = ids[pick % Math.max(1, ids.length)]
  if (stepId === undefined) return
  await answerOf(StepsAnswer, `/api/steps/${id}/removed/${stepId}`, { as, method: 'POST' })
  const back = { id: stepId, title: removed.get(stepId) ?? '' }
  draft.steps = [...draft.steps, back].toSorted((one, other) => one.id.localeCompare(other.id))
}

async function play(training: Training, move: Move): Promise<void> {
  const { id, as, state } = training
  const versions = `/api/versions/${id}`
  const { draft } = state
  if (move.kind === 'edit' || move.kind === 'restore') {
    const { stepsVersion } = (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })).module
    if (move.kind === 'restore') await restore(training, move.pick, stepsVersion)
    else {
      const named = move.titles.map((title, index) => ({ id: `s${index}`, title }))
      const steps = named.map((step, index) => ({ ...step, start: index * 10, end: index * 10 + 9 }))
      await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps, version: stepsVersion } })
      setSteps(training, named)
    }
  }
  if (move.kind === 'record') await record(training, move.line)
  if (move.kind === 'bring-back') await bringBack(training, move.pick)
  if (move.kind === 'rename') {
    await answerOf(Done, `/api/modules/${id}`, { as, method: 'PATCH', json: { title: move.title } })
    draft.title = move.title
  }
  if (move.kind === 'correct') {
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
    const path = `/api/transcript/${id}/${segments[0]?.id}`
    expect((await call(path, { as, method: 'PATCH', json: { text: move.text } })).status).toBe(200)
    draft.line = move.text
  }
  if (move.kind === 'translate') {
    const json = { item: 'title', texts: [move.text] }
    await answerOf(Done, `/api/modules/${id}/translations/es`, { as, method: 'PUT', json })
    state.translated = { of: draft.title, text: move.text }
  }
  if (move.kind === 'print') {
    const json = { ids: ['none'], question: 'How?', text: move.text, inPrint: true }
    await answerOf(Done, `/api/questions/${id}/answers`, { as, json })
    draft.printed = [move.text, ...draft.printed]
  }
  if (move.kind === 'replace') {
    const body = Uint8Array.from([...new TextEncoder().encode('RIFF____WEBP'), move.image])
    const { videoId } = (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })).module
    const path = `/api/modules/${id}/images/step-0?videoId=${videoId}`
    expect((await call(path, { as, method: 'PUT', body })).status).toBe(200)
    const image = state.images.get(state.imageName) as KnownImage
    if (!image.isPublished) image.bytes = body
  }
  if (move.kind === 'erase') {
    const json = { confirm: ERASE_WORD }
    await answerOf(EraseAnswer, '/api/account', { ...state.colleague, method: 'DELETE', json })
    state.colleague = { ...state.colleague, as: `user_${nanoid(8)}` }
  }
  if (move.kind === 'publish' && state.published !== null) {
    const { hash } = await answerOf(VersionAnswer, `${versions}/draft`, { as })
    const json = { draft: hash, published: state.published, note: '', retraining: 'none' }
    const answer = await call(versions, { ...state.colleague, json })
    const isNew = JSON.stringify(state.versions[state.published - 1]) !== JSON.stringify(draft)
    if (isNew) expect(answer.status).toBe(200)
    if (answer.status === 200) state.published = state.versions.push(clone(draft))
    await answer.body?.cancel()
  }
  if (move.kind === 'switch') {
    const isOn = state.published === null
    const json = { isOn }
    const { published } = await answerOf(VersionsAnswer, versions, { ...state.colleague, method: 'PUT', json })
    if (published !== null && published > state.versions.length) state.versions.push(clone(draft))
    state.published = published
  }
  if (move.kind === 'delete') {
    await answerOf(Done, `/api/modules/${id}`, { as, method: 'DELETE' })
    expect((await call(`/api/share/${id}`)).status).toBe(404)
    await answerOf(Done, `/api/modules/${id}/restore`, { as, method: 'POST' })
  }
  const shown = state.published === null ? [] : await listShown(id, state.published)
  for (const [name, image] of state.images) image.isPublished ||= shown.includes(name)
  // A translation is read for as long as the text is the one that it is of.
  draft.spanishTitle = state.translated.of === draft.title ? state.translated.text : draft.title
}

/** Names of the images that a version has, which stay as they are from then on. */
async function listShown(id: string, number: number): Promise<string[]> {
  const context = openContext(env)
  const module = await findModule(context.db, id)
  const { content } = await readVersion(context, module as ModuleRow, number)
  return Object.keys(content.images)
}

async function expectSeen({ id, state }: Training): Promise<void> {
  const said = state.published === null ? state.draft : (state.versions[state.published - 1] as Said)
  const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
  expect(module.title).toBe(said.title)
  const titles = said.steps.map(({ title }) => title)
  expect(module.steps.map(({ title }) => title)).toEqual(titles)
  const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${id}`)
  expect(await (await call(url)).text()).toBe(said.video)
  const spanish = await answerOf(ShareAnswer, `/api/share/${id}?lang=es`)
  expect(spanish.module.title).toBe(said.spanishTitle)
  const viewer = { as: 'user_viewer' }
  const opened = await answerOf(ModuleAnswer, `/api/modules/${id}`, viewer)
  expect([opened.module.title, ...opened.module.steps.map(({ title }) => title)]).toEqual([said.title, ...titles])
  const heard = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, viewer)
  expect(heard.segments.map(({ text }) => text)).toEqual([said.line])
  const context = openContext(env)
  const view = await openLearnerView(context, (await findModule(context.db, id)) as ModuleRow)
  expect((await view.readPrinted(null)).map(({ text }) => text).toSorted()).toEqual(said.printed.toSorted())
  for (const [name, { bytes }] of state.images) {
    const stored = await env.MEDIA.get(`images/${id}/${name}`)
    expect(stored === null ? null : new Uint8Array(await stored.arrayBuffer()), name).toEqual(bytes)
  }
}

/** Each version is there as it was published. */
async function expectKept({ id, as, state }: Training): Promise<void> {
  for (const [index, version] of state.versions.entries()) {
    const { content } = await answerOf(VersionAnswer, `/api/versions/${id}/${index + 1}`, { as })
    const titles = version.steps.map(({ title }) => title)
    expect([content.module.title, ...content.steps.map(({ title }) => title)]).toEqual([version.title, ...titles])
  }
}

it('shows learners exactly one version in any order of edits, translations, new recordings, publishing, restoring and erasing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...MOVES), { minLength: 4, maxLength: 9 }), async (moves) => {
      const training = await seedTraining()
      await play(training, { kind: 'edit', titles: ['Begin'] })
      await play(training, { kind: 'switch' })
      for (const move of moves) {
        await play(training, move)
        await expectSeen(training)
      }
      await expectKept(training)
      await answerOf(Done, `/api/modules/${training.id}`, { as: training.as, method: 'DELETE' })
      await eraseModule(openContext(env), { id: training.id, sourceKey: `src/${training.id}/source`, uploadId: null })
      const left = await env.DB.prepare('SELECT count(*) AS n FROM training_versions WHERE module_id = ?')
        .bind(training.id)
        .first()
      expect(left).toEqual({ n: 0 })
      expect((await env.MEDIA.list({ prefix: `versions/${training.id}/` })).objects).toEqual([])
    }),
    { numRuns: 5, examples: [[ALL_MOVES]] },
  )
})
