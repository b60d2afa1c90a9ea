import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { AccountExport, ERASE_WORD, EraseAnswer } from '#contract/account.ts'
import { CollectionAnswer } from '#contract/collection.ts'
import { Done, ModuleAnswer, OpenedListAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer } from '#contract/step.ts'
import { CorrectionAnswer, TranscriptAnswer } from '#contract/transcript.ts'
import { PublishConflict, VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { getSharedCollection, readShared } from '#worker/domain/collection/collection.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { indexOf, loadIndex } from '#worker/domain/tutor/answer-turn.ts'
import { switchVersions } from '#worker/domain/version/publish-version.ts'
import { openContext } from '#worker/entry/open-context.ts'

const NO_LIMITS = { modules: null, minutes: null, ai: null, feedback: null, questions: null, runs: null, photos: null }

const STEPS = [
  { id: 'a', title: 'Open the lid', description: 'Turn the screw.', start: 0, end: 10 },
  { id: 'b', title: 'Check the cable', description: 'Look for cracks.', start: 10, end: 20 },
]

/** A training that is ready, with two steps and two lines of captions. */
async function seedTraining(fields: Parameters<typeof seedModule>[0] = {}) {
  const as = `user_${nanoid(8)}`
  const ready = { status: 'READY', runStatus: 'READY', durationMs: 60_000, language: 'en' } as const
  const { id } = await seedModule({ userId: as, ...ready, ...fields })
  await saveTitles({ id, as }, [STEPS[0]?.title ?? '', STEPS[1]?.title ?? ''])
  const line = { endMs: 8_000, confidence: null }
  await seedCaptions(id, [{ ...line, startMs: 0, text: 'open the lid' }])
  return { id, as, path: `/api/versions/${id}` }
}

type Training = Pick<Awaited<ReturnType<typeof seedTraining>>, 'id' | 'as'>

function saveTitles({ id, as }: Training, titles: readonly string[]) {
  const steps = STEPS.slice(0, titles.length).map((step, index) => ({ ...step, title: titles[index] }))
  return answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps } })
}

async function switchTo({ as, path }: { as: string; path: string }, isOn: boolean) {
  return answerOf(VersionsAnswer, path, { as, method: 'PUT', json: { isOn } })
}

async function publish({ as, path }: { as: string; path: string }, fields = {}) {
  const [{ hash: draft }, { published }] = await Promise.all([
    answerOf(VersionAnswer, `${path}/draft`, { as }),
    answerOf(VersionsAnswer, path, { as }),
  ])
  return answerOf(VersionsAnswer, path, { as, json: { draft, published, note: '', retraining: 'none', ...fields } })
}

async function sharedTitles(id: string): Promise<string[]> {
  return (await answerOf(ShareAnswer, `/api/share/${id}`)).module.steps.map(({ title }) => title)
}

describe('versions of a training', () => {
  it('publishes what learners see as version 1, after which edits are a draft', async () => {
    const training = await seedTraining()
    const before = await answerOf(ShareAnswer, `/api/share/${training.id}`)
    const { published, versions } = await switchTo(training, true)
    expect(published).toBe(1)
    expect(versions).toMatchObject([
      { number: 1, retraining: 'none', isMine: true, stepCount: 2, title: 'Change the filter' },
    ])
    await saveTitles(training, ['Open the hood'])
    await answerOf(Done, `/api/modules/${training.id}`, { as: training.as, method: 'PATCH', json: { title: 'Draft' } })
    const { stepsVersion: _before, ...shown } = before.module
    const { stepsVersion: _after, ...now } = (await answerOf(ShareAnswer, `/api/share/${training.id}`)).module
    expect(now).toEqual(shown)
    const draft = await answerOf(ModuleAnswer, `/api/modules/${training.id}`, { as: training.as })
    expect(draft.module).toMatchObject({ title: 'Draft', steps: [{ title: 'Open the hood' }] })
    const viewed = await answerOf(ModuleAnswer, `/api/modules/${training.id}`, { as: 'user_viewer' })
    expect(viewed.module).toMatchObject({ title: 'Change the filter', steps: STEPS.map(({ title }) => ({ title })) })
  })

  it('shows what was published, and the draft again once versions are off', async () => {
    const training = await seedTraining()
    await switchTo(training, true)
    await saveTitles(training, ['Second'])
    const answer = await publish(training, { note: 'The new hood', retraining: 'changed' })
    expect(answer).toMatchObject({ published: 2, versions: [{ number: 2, note: 'The new hood' }, { number: 1 }] })
    expect(await sharedTitles(training.id)).toEqual(['Second'])
    await saveTitles(training, ['Third'])
    expect(await sharedTitles(training.id)).toEqual(['Second'])
    expect((await switchTo(training, false)).published).toBeNull()
    expect(await sharedTitles(training.id)).toEqual(['Third'])
    const read = (version: string) =>
      answerOf(TranscriptAnswer, `${training.path}/${version}/transcript`, { as: training.as })
    const [line] = (await read('draft')).segments
    const correction = { as: training.as, method: 'PATCH', json: { text: 'Open the hood.' } }
    await answerOf(CorrectionAnswer, `/api/transcript/${training.id}/${line?.id}`, correction)
    expect((await read('draft')).segments).toMatchObject([{ text: 'Open the hood.' }])
    expect((await read('1')).segments).toMatchObject([{ text: 'open the lid' }])
    expect((await problemOf(`${training.path}/9/transcript`, { as: training.as })).code).toBe('not_found')
    const first = await answerOf(VersionAnswer, `${training.path}/1`, { as: training.as })
    expect(first.content.steps.map(({ title }) => title)).toEqual(STEPS.map(({ title }) => title))
  })

  it('names equal content equally', async () => {
    const training = await seedTraining()
    await switchTo(training, true)
    await saveTitles(training, ['Second'])
    await publish(training)
    const seen = (await answerOf(StepsAnswer, `/api/steps/${training.id}`, { as: training.as })).meta.version
    const restored = await answerOf(StepsAnswer, `${training.path}/1/restore`, {
      as: training.as,
      json: { stepsVersion: seen },
    })
    expect(restored.steps.map(({ title }) => title)).toEqual(STEPS.map(({ title }) => title))
    const { versions } = await publish(training)
    expect(versions[0]?.hash).toBe(versions[2]?.hash)
    expect(versions[1]?.hash).not.toBe(versions[2]?.hash)
    const { objects } = await env.MEDIA.list({ prefix: `versions/${training.id}/` })
    // Two contents, and the transcript of both.
    expect(objects).toHaveLength(3)
  })

  it('refuses a publisher who saw another draft, and says what it is now', async () => {
    const training = await seedTraining()
    await switchTo(training, true)
    await saveTitles(training, ['Second'])
    const { hash: draft } = await answerOf(VersionAnswer, `${training.path}/draft`, { as: training.as })
    await saveTitles(training, ['Third'])
    const json = { draft, published: 1, note: '', retraining: 'none' }
    const answer = await call(training.path, { as: training.as, json })
    expect(answer.status).toBe(409)
    const conflict = PublishConflict.parse(await answer.json())
    expect(conflict.content.steps.map(({ title }) => title)).toEqual(['Third'])
    await answerOf(VersionsAnswer, training.path, { as: training.as, json: { ...json, draft: conflict.hash } })
    expect(await sharedTitles(training.id)).toEqual(['Third'])
  })

  it('lets one of two publishers publish who saw the same', async () => {
    const training = await seedTraining()
    await switchTo(training, true)
    await saveTitles(training, ['Second'])
    const { hash: draft } = await answerOf(VersionAnswer, `${training.path}/draft`, { as: training.as })
    const json = { draft, published: 1, note: '', retraining: 'all' }
    const answers = await Promise.all([1, 2].map(() => call(training.path, { as: training.as, json })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    for (const { body } of answers) await body?.cancel()
    const { versions } = await answerOf(VersionsAnswer, training.path, { as: training.as })
    expect(versions.map(({ number }) => number)).toEqual([2, 1])
  })

  it('refuses to publish nothing new, without the switch, and before the training is ready', async () => {
    const training = await seedTraining()
    const json = { draft: '0'.repeat(64), published: 1, note: '', retraining: 'none' }
    expect(await problemOf(training.path, { as: training.as, json })).toMatchObject({ code: 'invalid_request' })
    await switchTo(training, true)
    const { hash: draft } = await answerOf(VersionAnswer, `${training.path}/draft`, { as: training.as })
    expect(await problemOf(training.path, { as: training.as, json: { ...json, draft } })).toMatchObject({
      code: 'invalid_request',
      error: 'Nothing has changed since version 1.',
    })
    const early = await seedTraining({ status: 'PROCESSING', runStatus: 'PROCESSING' })
    const on = { as: early.as, method: 'PUT', json: { isOn: true } }
    expect(await problemOf(early.path, on)).toMatchObject({ code: 'steps_not_ready' })
  })

  it('never shows a draft in the place of a version that the bucket has lost', async () => {
    const training = await seedTraining()
    const { versions } = await switchTo(training, true)
    await env.MEDIA.delete(`versions/${training.id}/${versions[0]?.hash}`)
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(await problemOf(`/api/share/${training.id}`)).toMatchObject({ code: 'unavailable' })
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ event: 'version_missing' }))
    error.mockClear()
  })

  it('keeps the images that a version shows as they were', async () => {
    const training = await seedTraining()
    const image = `/api/modules/${training.id}/images/step-0`
    const webp = (end: number) => Uint8Array.from([...new TextEncoder().encode('RIFF____WEBP'), end])
    const put = (end: number) => call(image, { as: training.as, method: 'PUT', body: webp(end) })
    expect((await put(1)).status).toBe(200)
    await switchTo(training, true)
    expect((await put(2)).status).toBe(200)
    // Learners would get it in place of the one that was released.
    expect((await call(`${image}-1600w`, { as: training.as, method: 'PUT', body: webp(3) })).status).toBe(200)
    expect(await env.MEDIA.head(`images/${training.id}/step-0-1600w`)).toBeNull()
    const stored = await env.MEDIA.get(`images/${training.id}/step-0`)
    expect(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(webp(1))
    await saveTitles(training, [])
    const row = await env.DB.prepare('SELECT unused_since FROM step_images WHERE module_id = ?')
      .bind(training.id)
      .first()
    expect(row).toEqual({ unused_since: null })
  })

  it('is at the link at once after it was published, whatever the edge had kept', async () => {
    const training = await seedTraining()
    await switchTo(training, true)
    const read = async () => (await call(`/share/${training.id}/steps.md`)).text()
    expect(await read()).toContain('Open the lid')
    await saveTitles(training, ['Open the hood'])
    expect(await read()).toContain('Open the lid')
    await publish(training)
    expect(await read()).toContain('Open the hood')
  })

  it('is what the tutor answers learners from, while owners are answered from the draft', async () => {
    const training = await seedTraining()
    const notes = { notes: 'Pull it twice.', notesQuotable: true }
    const steps = STEPS.map((step) => ({ ...step, ...notes }))
    await answerOf(StepsAnswer, `/api/steps/${training.id}`, { as: training.as, json: { steps } })
    await switchTo(training, true)
    await saveTitles(training, ['Open the hood'])
    await answerOf(StepsAnswer, `/api/steps/${training.id}`, { as: training.as, json: { steps: [] } })
    const context = openContext(env)
    const module = await findModule(context.db, training.id)
    if (module === null) throw new Error('The training is gone.')
    const [owner, viewer] = await Promise.all([
      loadIndex(context, indexOf(module, 'owner')),
      loadIndex(context, indexOf(module, 'viewer')),
    ])
    expect(owner.steps).toEqual([])
    expect(viewer.steps.map(({ title }) => title)).toEqual(STEPS.map(({ title }) => title))
    expect(viewer.segments.map(({ text }) => text)).toEqual(['open the lid'])
    expect(viewer.notes.map(({ segment }) => segment.note.stepId)).toEqual(['a', 'b'])
  })

  it('has a title and a length in lists of learners that are those of the version', async () => {
    const training = await seedTraining()
    const json = { title: 'Line 4' }
    const { collection } = await answerOf(CollectionAnswer, '/api/collections', { as: training.as, json })
    const moduleIds = [training.id]
    const path = `/api/collections/${collection.id}`
    await answerOf(CollectionAnswer, path, { as: training.as, method: 'PATCH', json: { moduleIds } })
    await switchTo(training, true)
    await answerOf(Done, `/api/opened-modules/${training.id}`, { as: 'user_learner', method: 'PUT' })
    await saveTitles(training, ['Only one'])
    await answerOf(Done, `/api/modules/${training.id}`, { as: training.as, method: 'PATCH', json: { title: 'Draft' } })
    const context = openContext(env)
    const shared = await readShared(context, await getSharedCollection(context.db, collection.id))
    expect(shared).toMatchObject([{ title: 'Change the filter', stepCount: 2 }])
    const { modules } = await answerOf(OpenedListAnswer, '/api/opened-modules', { as: 'user_learner' })
    expect(modules).toMatchObject([{ id: training.id, title: 'Change the filter' }])
  })

  it('is in the export of its owner, and no longer names a publisher whose account was erased', async () => {
    const training = await seedTraining({ orgId: 'org_versions' })
    await env.DB.prepare("UPDATE modules SET source_etag = 'e' WHERE id = ?").bind(training.id).run()
    const { versions } = await switchTo(training, true)
    const { modules } = AccountExport.parse(await (await call('/api/account/export', { as: training.as })).json())
    expect(modules[0]?.versions).toMatchObject([{ number: 1, hash: versions[0]?.hash }])
    const json = { confirm: ERASE_WORD }
    await answerOf(EraseAnswer, '/api/account', { as: training.as, method: 'DELETE', json })
    const query = 'SELECT user_id AS userId FROM training_versions WHERE module_id = ?'
    const row = await env.DB.prepare(query).bind(training.id).first<{ userId: string }>()
    expect(row?.userId).toBeTypeOf('string')
    expect(row?.userId).not.toBe(training.as)
  })

  it('counts its bytes as those of an upload, and stores nothing beyond the limit of the day', async () => {
    const training = await seedTraining()
    const context = { ...openContext(env), quotas: { ...openContext(env).quotas, user: { ...NO_LIMITS, bytes: 100 } } }
    const module = await findModule(context.db, training.id)
    if (module === null) throw new Error('The training is gone.')
    const refused = switchVersions(context, module, {
      caller: { userId: training.as, orgId: null, orgRole: null, orgPermissions: [] },
      isOn: true,
    })
    await expect(refused).rejects.toMatchObject({ code: 'quota_reached' })
    expect((await env.MEDIA.list({ prefix: `versions/${training.id}/` })).objects).toEqual([])
    expect((await answerOf(VersionsAnswer, training.path, { as: training.as })).published).toBeNull()
  })
})
