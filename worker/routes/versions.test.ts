import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, vi } from 'vitest'
import { Done, ModuleAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { StepsAnswer } from '#contract/step.ts'
import { PublishConflict, VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'

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
    const stored = await env.MEDIA.get(`images/${training.id}/step-0`)
    expect(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(webp(1))
    await saveTitles(training, [])
    const row = await env.DB.prepare('SELECT unused_since FROM step_images WHERE module_id = ?')
      .bind(training.id)
      .first()
    expect(row).toEqual({ unused_since: null })
  })
})
