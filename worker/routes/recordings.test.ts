import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { Done, ModuleAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer, VersionConflict } from '#contract/step.ts'
import { RecordingAnswer } from '#contract/training/recording.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { PresignAnswer } from '#contract/upload.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { takeErasable } from '#worker/domain/module/deleted-store.ts'
import { findModule, type NewModule } from '#worker/domain/module/module-store.ts'
import { openContext } from '#worker/entry/open-context.ts'

const OLD = [
  {
    id: 'a',
    title: 'Open the lid',
    description: 'Turn the screw.',
    start: 0,
    end: 10,
    focus: { x: 10, y: 20, width: 40, height: 40 },
  },
  { id: 'b', title: 'Check the cable', description: 'Look for cracks.', start: 10, end: 20 },
  { id: 'c', title: 'Oil the hinge', description: 'One drop is enough.', start: 20, end: 30 },
]
const OLD_LINES = [
  'Open the lid of the cabinet with the key.',
  'Check the red cable for cracks.',
  'Put a drop of oil on the hinge.',
]
/** The last two steps in another order, the first later, and something new before them. */
const NEW_LINES = [
  'A new rule is to put on your gloves before you touch anything.',
  'With the key open the lid of the cabinet.',
  'Then put one drop of oil on the hinge.',
  'After that check the red cable for cracks.',
]

const toLines = (texts: readonly string[]) =>
  texts.map((text, index) => ({ startMs: index * 10_000, endMs: index * 10_000 + 8_000, text, confidence: null }))

async function seedVideo(fields: Partial<NewModule>, lines: readonly string[], text: string) {
  const ready = { status: 'READY', runStatus: 'READY', durationMs: lines.length * 10_000, language: 'en' } as const
  const sourceKey = `src/${nanoid(22)}/${nanoid(22)}`
  const { etag, size } = (await env.MEDIA.put(sourceKey, text)) as R2Object
  const source = { sourceKey, sourceEtag: etag, sourceSizeBytes: size, declaredSizeBytes: size }
  const module = await seedModule({ ...ready, ...source, createdAt: Date.now(), updatedAt: Date.now(), ...fields })
  await seedCaptions(module.id, toLines(lines))
  return module
}

/** A training with three steps, and a new recording of it. */
async function seedBoth() {
  const as = `user_${nanoid(8)}`
  const training = await seedVideo({ userId: as }, OLD_LINES, 'the old video')
  const recording = await seedVideo({ userId: as, replacesId: training.id, shared: false }, NEW_LINES, 'the new video!')
  await answerOf(StepsAnswer, `/api/steps/${training.id}`, { as, json: { steps: OLD } })
  return { as, id: training.id, recordingId: recording.id, path: `/api/recordings/${training.id}` }
}

type Both = Awaited<ReturnType<typeof seedBoth>>

async function readProposal({ as, path }: Both) {
  const { recording } = await answerOf(RecordingAnswer, path, { as })
  if (recording === null) throw new Error('There is no recording.')
  return recording
}

/** Takes the video with the proposed times. */
async function take(both: Both, fields = {}) {
  const { steps, version } = await readProposal(both)
  const placed = steps.flatMap(({ id, proposed }) =>
    proposed === null ? [] : [{ id, start: proposed.start, end: proposed.end }],
  )
  const json = { recordingId: both.recordingId, version, steps: placed, ...fields }
  return answerOf(StepsAnswer, both.path, { as: both.as, json })
}

async function readSharedVideo(id: string): Promise<string> {
  const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${id}`)
  return (await call(url)).text()
}

describe('a new recording of a training', () => {
  it('begins as an upload beside it, which is not shared', async () => {
    const { as, id } = await seedBoth()
    const json = { filename: 'again.mp4', contentType: 'video/mp4', sizeBytes: 100, replaces: id, shared: true }
    const { moduleId } = await answerOf(PresignAnswer, '/api/presigned-upload/presigned-url', { as, json })
    expect(await findModule(openDb(env.DB), moduleId)).toMatchObject({ replacesId: id, shared: false })
    const other = await problemOf('/api/presigned-upload/presigned-url', { as: 'user_other', json })
    expect(other.code).toBe('not_found')
  })

  it('has proposals for the times of the steps, and what is new in it', async () => {
    const both = await seedBoth()
    const { steps, added, status } = await readProposal(both)
    expect(status).toBe('READY')
    expect(steps).toMatchObject([
      { id: 'a', proposed: { start: 10 } },
      { id: 'b', proposed: { start: 30 } },
      { id: 'c', proposed: { start: 20 } },
    ])
    expect(added).toMatchObject([{ start: 0, text: NEW_LINES[0] }])
  })

  it('gives its video to the training, whose link, texts and order of time stay or follow', async () => {
    const both = await seedBoth()
    const { steps } = await take(both)
    expect(steps).toMatchObject([
      { id: 'a', title: 'Open the lid', start: 10, originalText: NEW_LINES[1], focus: null },
      { id: 'c', title: 'Oil the hinge', start: 20 },
      { id: 'b', title: 'Check the cable', start: 30 },
    ])
    const shared = await answerOf(ShareAnswer, `/api/share/${both.id}`)
    expect(shared.module).toMatchObject({ totalDuration: 40, title: 'Change the filter' })
    expect(await readSharedVideo(both.id)).toBe('the new video!')
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${both.id}`, { as: both.as })
    expect(segments.map(({ text }) => text)).toEqual(NEW_LINES)
    expect(await findModule(openDb(env.DB), both.recordingId)).toBeNull()
    expect((await answerOf(RecordingAnswer, both.path, { as: both.as })).recording).toBeNull()
  })

  it('leaves everything as it is where the steps have changed meanwhile', async () => {
    const both = await seedBoth()
    const { version } = await readProposal(both)
    await answerOf(StepsAnswer, `/api/steps/${both.id}`, { as: both.as, json: { steps: OLD.slice(0, 2) } })
    const json = { recordingId: both.recordingId, version, steps: [{ id: 'a', start: 0, end: 10 }] }
    const conflict = VersionConflict.parse(await (await call(both.path, { as: both.as, json })).json())
    expect(conflict.steps).toHaveLength(2)
    expect(await readSharedVideo(both.id)).toBe('the old video')
    expect(await findModule(openDb(env.DB), both.recordingId)).not.toBeNull()
  })

  it.each([
    { kind: 'is unknown', steps: [{ id: 'z', start: 0, end: 10 }] },
    { kind: 'ends after the video', steps: [{ id: 'a', start: 0, end: 400 }] },
  ])('is not taken with a step that $kind', async ({ steps }) => {
    const both = await seedBoth()
    const { version } = await readProposal(both)
    const json = { recordingId: both.recordingId, version, steps }
    expect((await problemOf(both.path, { as: both.as, json })).code).toBe('invalid_request')
  })

  it('takes the old video with it for good once nobody sees it', async () => {
    const both = await seedBoth()
    const { sourceKey } = (await findModule(openDb(env.DB), both.id)) ?? {}
    await take(both)
    expect(await env.MEDIA.head(sourceKey ?? '')).not.toBeNull()
    await eraseLater(both.recordingId)
    expect(await env.MEDIA.head(sourceKey ?? '')).toBeNull()
    expect(await readSharedVideo(both.id)).toBe('the new video!')
    expect((await answerOf(TranscriptAnswer, `/api/transcript/${both.id}`, { as: both.as })).segments).toHaveLength(4)
  })

  it('is a draft while versions are published: learners keep the old video until the next one', async () => {
    const both = await seedBoth()
    const versions = `/api/versions/${both.id}`
    await answerOf(VersionsAnswer, versions, { as: both.as, method: 'PUT', json: { isOn: true } })
    await take(both)
    await eraseLater(both.recordingId)
    expect(await readSharedVideo(both.id)).toBe('the old video')
    const before = await answerOf(ShareAnswer, `/api/share/${both.id}`)
    expect(before.module).toMatchObject({ totalDuration: 30, steps: OLD.map(({ id }) => ({ id })) })
    const own = await answerOf(ModuleAnswer, `/api/modules/${both.id}`, { as: both.as })
    expect(own.module.totalDuration).toBe(40)
    const { hash: draft } = await answerOf(VersionAnswer, `${versions}/draft`, { as: both.as })
    const json = { draft, published: 1, note: '', retraining: 'all' }
    await answerOf(VersionsAnswer, versions, { as: both.as, json })
    expect(await readSharedVideo(both.id)).toBe('the new video!')
    expect((await answerOf(ShareAnswer, `/api/share/${both.id}`)).module.totalDuration).toBe(40)
    const restored = await problemOf(`${versions}/1/restore`, { as: both.as, json: { stepsVersion: 0 } })
    expect(restored.code).toBe('invalid_request')
  })

  it('goes like any training where its owner keeps the old video', async () => {
    const both = await seedBoth()
    await answerOf(Done, `/api/modules/${both.recordingId}`, { as: both.as, method: 'DELETE' })
    expect((await answerOf(RecordingAnswer, both.path, { as: both.as })).recording).toBeNull()
    expect(await readSharedVideo(both.id)).toBe('the old video')
  })
})

/** What the sweep does with a deleted module an hour later. */
async function eraseLater(moduleId: string): Promise<void> {
  const context = openContext(env)
  const rows = await takeErasable(context.db, Date.now() + 60 * 60_000, 1_000)
  for (const row of rows.filter(({ id }) => id === moduleId)) await eraseModule(context, row)
}
