import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { imageUrl, wantedImage } from '#contract/image-url.ts'
import { LearningMetricsAnswer } from '#contract/learning.ts'
import { Done, ModuleAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { type Step, StepsAnswer, VersionConflict } from '#contract/step.ts'
import { RecordingAnswer } from '#contract/training/recording.ts'
import { TranscriptAnswer } from '#contract/transcript.ts'
import { PresignAnswer } from '#contract/upload.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { MP4_BEGINNING } from '#media/testing/mp4-beginning.ts'
import type { Context } from '#worker/core/context.ts'
import { openDb } from '#worker/db/db.ts'
import { saveImage } from '#worker/domain/image/image.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { takeErasable } from '#worker/domain/module/deleted-store.ts'
import { findModule, type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { takeRecording } from '#worker/domain/recording/take-recording.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { seedVideo } from './testing/seed-video.ts'
import { editorOf, makeTeam, type Person } from './testing/team.ts'

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

/** A training with three steps, and a new recording of it. */
async function seedBoth({ as, orgId }: { as: string; orgId?: string } = { as: `user_${nanoid(8)}` }) {
  const owner = { userId: as, orgId: orgId ?? null }
  const training = await seedVideo(owner, OLD_LINES, 'the old video')
  const recording = await seedVideo({ ...owner, replacesId: training.id, shared: false }, NEW_LINES, 'the new video!')
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
async function take(both: Both) {
  return answerOf(StepsAnswer, both.path, { as: both.as, json: await askFor(both) })
}

/** The body of a call that takes the video with the proposed times. */
async function askFor(both: Both) {
  const { steps, version } = await readProposal(both)
  const placed = steps.flatMap(({ id, proposed }) =>
    proposed === null ? [] : [{ id, start: proposed.start, end: proposed.end }],
  )
  return { recordingId: both.recordingId, version, steps: placed }
}

/** As {@link take} does, with other dependencies. */
async function takeWith(other: Partial<Context>, both: Both) {
  const request = await askFor(both)
  const module = (await findModule(openDb(env.DB), both.id)) as ModuleRow
  const { userId, orgId } = module
  const caller = { userId, orgId, orgRole: null, orgPermissions: [] }
  return takeRecording({ ...openContext(env), ...other }, module, { ...request, caller })
}

async function readSharedVideo(id: string): Promise<string> {
  const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/${id}`)
  return (await call(url)).text()
}

describe('a recording whose training is gone', () => {
  it('is a training like any other until that is restored', async () => {
    const { as, id, recordingId } = await seedBoth()
    const replacedBy = async (who: string) =>
      (await answerOf(ModuleAnswer, `/api/modules/${recordingId}`, { as: who })).module.replaces
    expect(await replacedBy(as)).toBe(id)
    await answerOf(Done, `/api/modules/${id}`, { as, method: 'DELETE' })
    expect(await replacedBy(as)).toBeNull()
    await answerOf(Done, `/api/modules/${id}/restore`, { as, method: 'POST' })
    expect(await replacedBy(as)).toBe(id)
  })
})

describe('a recording in which nothing is said', () => {
  const FAILED = { status: 'FAILED', runStatus: 'FAILED', failureCode: 'unnamed' } as const

  it('is taken by the times that a browser finds, without names for its scenes', async () => {
    const both = await seedBoth()
    const { as, id, recordingId, path } = both
    const unsaid = { transcriptKey: null, transcriptRun: null, captionsKey: null, segmentCount: 0 }
    await updateModule(openDb(env.DB), recordingId, { ...FAILED, ...unsaid })
    const { isSilent, steps, version } = await readProposal(both)
    expect(isSilent).toBe(true)
    expect(steps.map(({ proposed }) => proposed)).toEqual([null, null, null])
    const json = { recordingId, version, steps: [{ id: 'b', start: 5, end: 12 }] }
    const answer = await answerOf(StepsAnswer, path, { as, json })
    expect(answer.steps).toMatchObject([{ id: 'b', title: 'Check the cable', start: 5, end: 12 }])
    expect(await readSharedVideo(id)).toBe('the new video!')
  })

  it.each(['unreadable', 'gave_up'] as const)('is not taken where it has failed otherwise: %s', async (failureCode) => {
    const both = await seedBoth()
    const request = await askFor(both)
    await updateModule(openDb(env.DB), both.recordingId, { ...FAILED, failureCode })
    expect((await readProposal(both)).steps).toEqual([])
    expect((await problemOf(both.path, { as: both.as, json: request })).code).toBe('steps_not_ready')
  })
})

describe('images of a video that was replaced', () => {
  it('are refused, also those of an older page that names no video', { tags: 'threat-13' }, async () => {
    const both = await seedBoth()
    await take(both)
    const image = new TextEncoder().encode('RIFF....WEBPVP8 and so on')
    const path = `/api/modules/${both.id}/images/step-1000`
    const send = (query: string) => call(path + query, { as: both.as, method: 'PUT', body: image })
    for (const query of ['', `?videoId=${both.id}`, '?videoId=another'])
      expect((await send(query)).status, query).toBe(409)
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${both.id}`, { as: both.as })
    expect((await send(`?videoId=${module.videoId}`)).status).toBe(200)
  })
})

describe('images of a training that has taken another video', () => {
  it('stay those of the versions that show them, beside the new ones of the same moments', async () => {
    const both = await seedBoth()
    const { as, id } = both
    const versions = `/api/versions/${id}`
    const webp = (end: number) => Uint8Array.from([...new TextEncoder().encode('RIFF____WEBP'), end])
    const readModule = async () => (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })).module
    /** Draws an image of a moment from the video that the training has, as pages did before names had marks. */
    async function draw(name: string, end: number) {
      const { videoId } = await readModule()
      const path = `/api/modules/${id}/images/${name}?videoId=${videoId}`
      await answerOf(Done, path, { as, method: 'PUT', body: webp(end) })
    }
    const lastByte = async (url: string) => new Uint8Array(await (await call(url)).arrayBuffer()).at(-1)
    const seenByOwner = async () => {
      const { posterUrl, steps } = await readModule()
      return Promise.all(steps.map(({ image }) => lastByte(imageUrl(posterUrl ?? '', image ?? ''))))
    }
    const seenByLearners = async () => {
      const { module } = await answerOf(ShareAnswer, `/api/share/${id}`)
      return Promise.all(module.steps.map(({ image }) => lastByte(`/share/${id}/images/${image}`)))
    }
    const placed = [
      { ...OLD[0], start: 0, end: 10 },
      { ...OLD[1], start: 10, end: 20, imageAt: 12 },
    ]
    await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps: placed } })
    await draw('poster', 0)
    for (const name of ['step-0', 'step-0-960', 'at-12000']) await draw(name, 1)
    await answerOf(VersionsAnswer, versions, { as, method: 'PUT', json: { isOn: true } })
    expect(await seenByLearners()).toEqual([1, 1])
    await take(both)
    await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps: placed } })
    const blank = await answerOf(StepsAnswer, `/api/steps/${id}`, { as })
    expect(blank.steps.map(({ image }) => image)).toEqual(['poster', 'poster'])
    for (const name of ['step-0', 'step-0-960']) await draw(name, 2)
    const { steps: owned } = await answerOf(StepsAnswer, `/api/steps/${id}`, { as })
    // As pages name it that know the mark.
    await draw(wantedImage(owned[1] as Step) ?? '', 2)
    expect([await seenByOwner(), await seenByLearners()]).toEqual([
      [2, 2],
      [1, 1],
    ])
    const { videoId, posterUrl } = await readModule()
    const elsewhere = `/api/modules/${id}/images/another.step-0?videoId=${videoId}`
    expect((await problemOf(elsewhere, { as, method: 'PUT', body: webp(3) })).code).toBe('source_changed')

    const { hash: draft, content } = await answerOf(VersionAnswer, `${versions}/draft`, { as })
    await answerOf(VersionsAnswer, versions, { as, json: { draft, published: 1, note: '', retraining: 'all' } })
    expect(await seenByLearners()).toEqual([2, 2])
    const { content: first } = await answerOf(VersionAnswer, `${versions}/1`, { as })
    const bytesOf = (names: string[]) => Promise.all(names.map((name) => lastByte(imageUrl(posterUrl ?? '', name))))
    expect(await bytesOf(Object.keys(first.images))).toEqual([1, 1, 1])
    expect(await bytesOf(Object.keys(content.images))).toEqual([2, 2, 2])
  })

  it('are of its video also where that is taken while one is on its way', async () => {
    const both = await seedBoth()
    const before = (await findModule(openDb(env.DB), both.id)) as ModuleRow
    await take(both)
    const image = { name: 'step-10000', bytes: new TextEncoder().encode('RIFF....WEBPVP8 and so on') }
    await expect(saveImage(openContext(env), before, image)).rejects.toMatchObject({ code: 'source_changed' })
    const { steps } = await answerOf(StepsAnswer, `/api/steps/${both.id}`, { as: both.as })
    expect(steps[0]).toMatchObject({ start: 10, image: null })
  })

  it('are unused once their step begins elsewhere, and used again when it comes back', async () => {
    const both = await seedBoth()
    const { as, id } = both
    await take(both)
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })
    const begin = (start: number) =>
      answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps: [{ ...OLD[0], start, end: 10 }] } })
    const isUnused = async () => {
      const sql = 'SELECT count(unused_since) AS unused, count(*) AS n FROM step_images WHERE module_id = ?1'
      return env.DB.prepare(sql).bind(id).first()
    }
    await begin(0.96)
    const body = new TextEncoder().encode('RIFF....WEBPVP8 and so on')
    for (const name of ['step-960', 'step-960-960', 'step-960-1600w'])
      await answerOf(Done, `/api/modules/${id}/images/${name}?videoId=${module.videoId}`, { as, method: 'PUT', body })
    expect(await isUnused()).toEqual({ unused: 0, n: 3 })
    await begin(2)
    expect(await isUnused()).toEqual({ unused: 3, n: 3 })
    await begin(0.96)
    expect(await isUnused()).toEqual({ unused: 0, n: 3 })
  })

  it('may be of before names said of which video they are, and stay until they are drawn again', async () => {
    const both = await seedBoth()
    const { as, id } = both
    const { steps } = await take(both)
    const [first] = steps
    const plain = `step-${(first?.start ?? 0) * 1_000}`
    const insert = `INSERT INTO step_images (module_id, name, content_type, size_bytes, is_published) VALUES (?1, ?2, 'image/webp', 1, ?3)`
    const readImage = async () => (await answerOf(StepsAnswer, `/api/steps/${id}`, { as })).steps[0]?.image
    await env.DB.prepare(insert).bind(id, plain, 0).run()
    expect(await readImage()).toBe(plain)
    // A version may show it of the video before.
    await env.DB.prepare('UPDATE step_images SET is_published = 1 WHERE module_id = ?1').bind(id).run()
    expect(await readImage()).toBeNull()
    await env.DB.prepare(insert)
      .bind(id, wantedImage(first as Step), 0)
      .run()
    expect(await readImage()).toBe(wantedImage(first as Step))
  })
})

describe('a new recording of a training', () => {
  it('begins as an upload beside it, which is not shared', async () => {
    const { as, id } = await seedBoth()
    const json = { filename: 'again.mp4', contentType: 'video/mp4', sizeBytes: 100, replaces: id, shared: true }
    const { moduleId } = await answerOf(PresignAnswer, '/api/presigned-upload/presigned-url', { as, json })
    expect(await findModule(openDb(env.DB), moduleId)).toMatchObject({ replacesId: id, shared: false })
    const other = await problemOf('/api/presigned-upload/presigned-url', { as: 'user_other', json })
    expect(other.code).toBe('not_found')
    // Its bytes would be of another organization.
    const elsewhere = { as, orgId: 'org_else', orgRole: 'org:admin', json }
    expect((await problemOf('/api/presigned-upload/presigned-url', elsewhere)).code).toBe('not_found')
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

  it('is taken by a training that has no steps', async () => {
    const both = await seedBoth()
    await answerOf(StepsAnswer, `/api/steps/${both.id}`, { as: both.as, json: { steps: [] } })
    expect((await take(both)).steps).toEqual([])
    expect(await readSharedVideo(both.id)).toBe('the new video!')
  })

  it('is taken after a later run of it has failed', async () => {
    const both = await seedBoth()
    await env.DB.prepare(`UPDATE modules SET run_status = 'FAILED' WHERE id = ?1`).bind(both.recordingId).run()
    await take(both)
    expect(await readSharedVideo(both.id)).toBe('the new video!')
  })

  it('takes images, audio and small copies of the old video with it, and nothing that has come since', async () => {
    const both = await seedBoth()
    const old = [`images/${both.id}/step-7`, `small/${both.id}/old`, `chunks/${both.id}/1/0`]
    const fresh = `images/${both.id}/step-8`
    for (const key of [...old, fresh]) await env.MEDIA.put(key, 'bytes')
    const image = 'INSERT INTO step_images (module_id, name, content_type, size_bytes) VALUES (?1, ?2, ?3, 1)'
    await env.DB.prepare(image).bind(both.id, 'step-7', 'image/webp').run()
    // Nobody has learned from it yet.
    await env.DB.prepare('UPDATE modules SET published_version = 0 WHERE id = ?1').bind(both.id).run()
    await take(both)
    const isThere = async (key: string) => (await env.MEDIA.head(key)) !== null
    expect(await Promise.all([...old, fresh].map(isThere))).toEqual([false, false, false, true])
    expect((await findModule(openDb(env.DB), both.id))?.learnerSource).toBeNull()
  })

  it('is a draft while versions are published: learners keep the old video until the next one', async () => {
    const both = await seedBoth()
    const versions = `/api/versions/${both.id}`
    const small = `small/${both.id}/old`
    const poster = `images/${both.id}/poster`
    await env.MEDIA.put(small, 'the old small copy')
    await env.MEDIA.put(poster, 'the old poster')
    await env.MEDIA.put(`images/${both.recordingId}/poster`, 'the new poster')
    await env.DB.prepare('UPDATE modules SET has_poster = 1, small_copy = ?2 WHERE id = ?1')
      .bind(both.id, JSON.stringify({ kind: 'made', key: small, etag: 'e', sizeBytes: 18, codec: 'avc1.64001f' }))
      .run()
    await answerOf(VersionsAnswer, versions, { as: both.as, method: 'PUT', json: { isOn: true } })
    await take(both)
    await eraseLater(both.recordingId)
    expect(await (await env.MEDIA.get(poster))?.text()).toBe('the old poster')
    expect(await env.MEDIA.head(small)).not.toBeNull()
    expect(await readSharedVideo(both.id)).toBe('the old video')
    const before = await answerOf(ShareAnswer, `/api/share/${both.id}`)
    expect(before.module).toMatchObject({ totalDuration: 30, steps: OLD.map(({ id }) => ({ id })) })
    const { curve } = await answerOf(LearningMetricsAnswer, `/api/learning-metrics/${both.id}`, { as: both.as })
    expect(curve.learners.length * curve.pieceSeconds).toBe(30)
    const own = await answerOf(ModuleAnswer, `/api/modules/${both.id}`, { as: both.as })
    expect(own.module.totalDuration).toBe(40)
    const { hash: draft } = await answerOf(VersionAnswer, `${versions}/draft`, { as: both.as })
    const json = { draft, published: 1, note: '', retraining: 'all' }
    await answerOf(VersionsAnswer, versions, { as: both.as, json })
    expect(await readSharedVideo(both.id)).toBe('the new video!')
    const after = await answerOf(ShareAnswer, `/api/share/${both.id}`)
    // An owner's browser draws the new one.
    expect(after.module).toMatchObject({ totalDuration: 40, posterUrl: null })
    expect(await env.MEDIA.head(small)).toBeNull()
    const restored = await problemOf(`${versions}/1/restore`, { as: both.as, json: { stepsVersion: 0 } })
    expect(restored.code).toBe('invalid_request')
  })

  it('takes nothing more that browsers have made of the old video', async () => {
    const both = await seedBoth()
    await take(both)
    const late = async (path: string, json: object) =>
      (await problemOf(`/api/modules/${both.id}/${path}`, { as: both.as, method: 'PUT', json })).code
    expect(await late('small-copy', { savesTooLittle: true })).toBe('source_changed')
    const key = `small/${both.id}/late`
    await env.MEDIA.put(key, MP4_BEGINNING)
    expect(await late('small-copy', { key, codec: 'avc1.64001f', videoId: both.id })).toBe('source_changed')
    expect(await late('screen', { readMs: 0, isDone: true, secrets: [], blocks: [] })).toBe('source_changed')
    const { smallCopy, screenKey } = (await findModule(openDb(env.DB), both.id)) ?? {}
    expect({ smallCopy, screenKey }).toEqual({ smallCopy: null, screenKey: null })
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${both.id}`, { as: both.as })
    const json = { savesTooLittle: true, videoId: module.videoId }
    await answerOf(Done, `/api/modules/${both.id}/small-copy`, { as: both.as, method: 'PUT', json })
  })

  it('is taken once by two people at once, with what is said in it', async () => {
    const both = await seedBoth()
    await env.DB.prepare('UPDATE modules SET transcript_run = 1 WHERE id = ?1').bind(both.recordingId).run()
    let first: Promise<unknown> | null = null
    const batch = async (statements: D1PreparedStatement[]) => {
      await (first ??= take(both))
      return env.DB.batch(statements)
    }
    const d1 = { prepare: (query: string) => env.DB.prepare(query), batch } as D1Database
    await expect(takeWith({ d1 }, both)).rejects.toMatchObject({ code: 'version_conflict' })
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${both.id}`, { as: both.as })
    expect(segments.map(({ text }) => text)).toEqual(NEW_LINES)
  })

  it('is taken by those alone who may delete both videos', async () => {
    const { uploader, member, admin } = makeTeam()
    const both = await seedBoth(uploader)
    const mayTake = async (person: Person) =>
      (await answerOf(RecordingAnswer, both.path, person)).recording?.mayTake ?? null
    expect(await Promise.all([uploader, admin, member].map(mayTake))).toEqual([true, true, false])
    const json = await askFor(both)
    expect((await problemOf(both.path, { ...member, json })).code).toBe('not_found')
    expect(await readSharedVideo(both.id)).toBe('the old video')
    // Before, a recording could be of a person alone; the old video is the organization's.
    await env.DB.prepare('UPDATE modules SET org_id = NULL WHERE id = ?1').bind(both.recordingId).run()
    await answerOf(StepsAnswer, both.path, { ...uploader, json })
    const deleted = env.DB.prepare('SELECT org_id FROM deleted_modules WHERE id = ?1').bind(both.recordingId)
    expect(await deleted.first('org_id')).toBe(uploader.orgId)
  })

  it('names who took it, even where what comes after the exchange fails', async () => {
    const { uploader } = makeTeam()
    const both = await seedBoth(uploader)
    const bucket = new Proxy(env.MEDIA, {
      get: (target, name) => {
        if (name === 'list') return () => Promise.reject(new Error('The bucket is away.'))
        const value = Reflect.get(target, name) as unknown
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    expect((await takeWith({ bucket }, both)).steps).toHaveLength(3)
    expect(await editorOf(both.id)).toBe(both.as)
  })

  it('leaves nothing of the old video in steps that stay or are restored', async () => {
    const both = await seedBoth()
    const versions = `/api/versions/${both.id}`
    await answerOf(VersionsAnswer, versions, { as: both.as, method: 'PUT', json: { isOn: true } })
    const ofVideo = {
      original_text: 'Turn it.',
      segment_ids: '["c-0"]',
      commands: '[{"text":"ls","kind":"command","startMs":1}]',
      focus: '{"x":1,"y":1,"width":30,"height":30}',
      image_at: '3',
      image_text: 'Lid',
    }
    const names = Object.keys(ofVideo)
    await env.DB.batch([
      env.DB.prepare(
        `UPDATE steps SET ${names.map((name, at) => `${name} = ?${at + 2}`).join(', ')} WHERE module_id = ?1`,
      ).bind(both.id, ...Object.values(ofVideo)),
      // A picture of the old video, which learners of the version see.
      env.DB.prepare(
        `INSERT INTO step_images (module_id, name, content_type, size_bytes, is_published) VALUES (?1, 'step-0', 'image/webp', 1, 1)`,
      ).bind(both.id),
    ])
    const { steps, ...request } = await askFor(both)
    const json = { ...request, steps: steps.filter(({ id }) => id !== 'a') }
    await answerOf(StepsAnswer, both.path, { as: both.as, json })
    const restored = await answerOf(StepsAnswer, `/api/steps/${both.id}/removed/a`, { as: both.as, method: 'POST' })
    const blank = { focus: null, imageAt: null, imageText: '' }
    expect(restored.steps).toMatchObject([
      { id: 'a', start: 0, image: null, ...blank, originalText: '', commands: [] },
      { id: 'c', ...blank },
      { id: 'b', ...blank },
    ])
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
