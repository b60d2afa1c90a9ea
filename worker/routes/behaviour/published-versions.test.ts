// Behaviour: what learners see is always one published version, whatever happens to the draft.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { ERASE_WORD, EraseAnswer } from '#contract/account.ts'
import { Done, ModuleAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer } from '#contract/step.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { openLearnerView } from '#worker/domain/version/learner-view.ts'
import { readVersion } from '#worker/domain/version/publish-version.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

/** What a training says, in its own language and in Spanish. */
interface Said {
  title: string
  steps: string[]
  line: string
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
  fc.record({ kind: fc.constant('publish') }),
  fc.record({ kind: fc.constant('publish') }),
  fc.record({ kind: fc.constant('restore'), pick: fc.nat(9) }),
  fc.record({ kind: fc.constant('switch') }),
  fc.record({ kind: fc.constant('erase') }),
  fc.record({ kind: fc.constant('delete') }),
]

/** Where the image of the first step lies. */
const imageKey = (id: string) => `images/${id}/step-0`

/** A training with what its draft says, and what each of its versions said when it was published, by a colleague. */
async function seedTraining() {
  const as = `user_${nanoid(8)}`
  const orgId = `org_${nanoid(8)}`
  const ready = { status: 'READY', runStatus: 'READY', durationMs: 60_000, language: 'en', languages: ['es'] } as const
  const { id } = await seedModule({ userId: as, orgId, ...ready, languages: ['es'], title: 'First' })
  await seedCaptions(id, [{ startMs: 0, endMs: 4_000, text: 'Heard', confidence: null }])
  await env.DB.prepare("UPDATE modules SET status = 'READY', run_status = 'READY' WHERE id = ?").bind(id).run()
  const draft: Said = { title: 'First', steps: [], line: 'Heard', spanishTitle: 'First', printed: [] }
  const translated = { of: '', text: '' }
  const image = { bytes: null as Uint8Array | null, isPublished: false }
  const colleague = { as: `user_${nanoid(8)}`, orgId, orgRole: 'org:member' }
  const state = { draft, translated, image, colleague, versions: [] as Said[], published: null as number | null }
  return { id, as, state }
}

type Training = Awaited<ReturnType<typeof seedTraining>>

const clone = (said: Said): Said => structuredClone(said)

async function play({ id, as, state }: Training, move: Move): Promise<void> {
  const versions = `/api/versions/${id}`
  const { draft } = state
  if (move.kind === 'edit' || move.kind === 'restore') {
    const { stepsVersion } = (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })).module
    if (move.kind === 'edit') {
      const steps = move.titles.map((title, index) => ({
        id: `s${index}`,
        title,
        start: index * 10,
        end: index * 10 + 9,
      }))
      await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps, version: stepsVersion } })
      draft.steps = move.titles
    } else if (state.versions.length > 0) {
      const index = move.pick % state.versions.length
      await answerOf(StepsAnswer, `${versions}/${index + 1}/restore`, { as, json: { stepsVersion } })
      const { title, steps } = state.versions[index] as Said
      Object.assign(draft, { title, steps })
    }
  }
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
    expect((await call(`/api/modules/${id}/images/step-0`, { as, method: 'PUT', body })).status).toBe(200)
    if (!state.image.isPublished) state.image.bytes = body
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
  if (state.published !== null && state.image.bytes !== null)
    state.image.isPublished ||= await isShown(id, state.published)
  // A translation is read for as long as the text is the one that it is of.
  draft.spanishTitle = state.translated.of === draft.title ? state.translated.text : draft.title
}

/** Whether a version has the image of the first step, which stays as it is from then on. */
async function isShown(id: string, number: number): Promise<boolean> {
  const context = openContext(env)
  const module = await findModule(context.db, id)
  const { content } = await readVersion(context, module as ModuleRow, number)
  return 'step-0' in content.images
}

async function expectSeen({ id, state }: Training): Promise<void> {
  const said = state.published === null ? state.draft : (state.versions[state.published - 1] as Said)
  const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
  expect(module.title).toBe(said.title)
  expect(module.steps.map(({ title }) => title)).toEqual(said.steps)
  const spanish = await answerOf(ShareAnswer, `/api/share/${id}?lang=es`)
  expect(spanish.module.title).toBe(said.spanishTitle)
  const viewer = { as: 'user_viewer' }
  const opened = await answerOf(ModuleAnswer, `/api/modules/${id}`, viewer)
  expect([opened.module.title, ...opened.module.steps.map(({ title }) => title)]).toEqual([said.title, ...said.steps])
  const heard = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, viewer)
  expect(heard.segments.map(({ text }) => text)).toEqual([said.line])
  const context = openContext(env)
  const view = await openLearnerView(context, (await findModule(context.db, id)) as ModuleRow)
  expect((await view.readPrinted(null)).map(({ text }) => text).toSorted()).toEqual(said.printed.toSorted())
  const stored = await env.MEDIA.get(imageKey(id))
  expect(stored === null ? null : new Uint8Array(await stored.arrayBuffer())).toEqual(state.image.bytes)
}

/** Each version is there as it was published. */
async function expectKept({ id, as, state }: Training): Promise<void> {
  for (const [index, version] of state.versions.entries()) {
    const { content } = await answerOf(VersionAnswer, `/api/versions/${id}/${index + 1}`, { as })
    expect([content.module.title, ...content.steps.map(({ title }) => title)]).toEqual([
      version.title,
      ...version.steps,
    ])
  }
}

it('shows learners exactly one version in any order of edits, translations, publishing, restoring and erasing', async () => {
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
    { numRuns: 5 },
  )
})
