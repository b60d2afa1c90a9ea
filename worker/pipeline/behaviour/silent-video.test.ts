// Behaviour: a video without speech, whose scenes a browser proposes.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { ModuleAnswer } from '#contract/module.ts'
import { ProposalsAnswer, StepsAnswer } from '#contract/step.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { bytesOf } from '#media/testing/cut-all.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { SCENES_CHECKS } from '../advance-run.ts'
import { recover } from '../recover.ts'
import { fakeSpeech, openDriver, seedRun } from '../testing/drive.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000

const [SILENT_TRACK] = Object.values(
  import.meta.glob('../../../local/media/fixtures/silent-track.mp4', {
    query: '?inline',
    import: 'default',
    eager: true,
  }),
)

const openSilent = () => openDriver({ speech: fakeSpeech(() => ({ words: [], language: null })) })

/** The whole first run of a minute of music, of an owner of its own. */
async function processSilent(fields: Parameters<typeof seedModule>[0] = { hasPoster: true }) {
  const as = `user_${nanoid(8)}`
  const driver = openSilent()
  const id = await seedRun(MINUTE, { userId: as, ...fields })
  await driver.deliver([{ kind: 'ingest', ...id }])
  await driver.drain()
  const path = `/api/steps/${id.moduleId}`
  const offer = (...starts: number[]) =>
    answerOf(ProposalsAnswer, `${path}/proposals`, { as, method: 'PUT', json: { starts } })
  const read = async () => (await answerOf(ModuleAnswer, `/api/modules/${id.moduleId}`, { as })).module
  /** As the watchdog checks it, until it has nothing to watch or `times` are over. */
  async function check(times: number): Promise<void> {
    for (let left = times; left > 0 && (await recover(driver.deps, id.moduleId)) !== null; left--);
  }
  return { as, driver, id, path, offer, read, check }
}

describe('a video without speech', () => {
  it('waits PROCESSING for the scenes that its browser sees, which then wait for names', {
    tags: 'fault-26',
  }, async () => {
    const { id, driver, as, path, offer, read } = await processSilent()
    expect(await read()).toMatchObject({
      status: 'PROCESSING',
      failureCode: 'no_narration',
      lastError: null,
      message: 'There is no speech. Looking for scene changes',
    })
    const { proposals } = await offer(0, 20.5, 41)
    expect(proposals.map(({ title, originalText, start, end }) => [title, originalText, start, end])).toEqual([
      ['', '', 0, 20.5],
      ['', '', 20.5, 41],
      ['', '', 41, expect.closeTo(60, 0)],
    ])
    expect(await read()).toMatchObject({ status: 'FAILED', failureCode: 'unnamed' })
    expect(await findRun(driver.deps.db, id)).toMatchObject({ outcome: 'failed', failureCode: 'unnamed' })

    const [, second] = proposals
    const named = { ...second, title: 'Close the valve' }
    const { steps } = await answerOf(StepsAnswer, path, { as, json: { steps: [named] } })
    expect(steps).toMatchObject([{ id: second?.id, title: 'Close the valve', start: 20.5, end: 41 }])
    expect(await read()).toMatchObject({ status: 'READY', failureCode: null, lastError: null })
    const left = await answerOf(ProposalsAnswer, `${path}/proposals`, { as })
    expect(left.proposals.map(({ start }) => start)).toEqual([0, 41])
  })

  it('is offered again where the step that named a scene is removed', async () => {
    const { as, path, offer } = await processSilent()
    const { proposals } = await offer(0, 30)
    await answerOf(StepsAnswer, path, { as, json: { steps: [{ ...proposals[0], title: 'Close the valve' }] } })
    await answerOf(StepsAnswer, path, { as, json: { steps: [] } })
    expect((await answerOf(ProposalsAnswer, `${path}/proposals`, { as })).proposals).toEqual(proposals)
  })

  it('waits in the same way where it has no audio at all, and says so when it fails', {
    tags: 'fault-26',
  }, async () => {
    const driver = openDriver()
    const id = await seedRun(MINUTE, { hasPoster: true })
    const bytes = await bytesOf(SILENT_TRACK ?? '')
    const object = await env.MEDIA.put(`src/${id.moduleId}/mute`, bytes)
    await env.DB.prepare('UPDATE modules SET source_key = ?, source_etag = ?, source_size_bytes = ? WHERE id = ?')
      .bind(object?.key, object?.etag, bytes.byteLength, id.moduleId)
      .run()
    await driver.deliver([{ kind: 'ingest', ...id }])
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'PROCESSING', failureCode: 'no_audio' })
    for (let left = SCENES_CHECKS; left >= 0; left--) await recover(driver.deps, id.moduleId)
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED', failureCode: 'no_audio' })
  })

  it('waits for two minutes, and takes scenes that come later', { tags: 'fault-26' }, async () => {
    const { check, offer, read } = await processSilent()
    await check(SCENES_CHECKS)
    expect(await read()).toMatchObject({ status: 'PROCESSING' })
    await check(1)
    expect(await read()).toMatchObject({ status: 'FAILED', failureCode: 'no_narration' })
    expect((await offer(0, 30)).proposals).toHaveLength(2)
    expect(await read()).toMatchObject({ status: 'FAILED', failureCode: 'unnamed' })
  })

  it('fails at once where no browser could draw it, and where it is processed again', async () => {
    const sent = await processSilent({ hasPoster: false })
    expect(await sent.read()).toMatchObject({ status: 'FAILED', failureCode: 'no_narration' })
    const { driver, id, check, read } = await processSilent()
    await check(SCENES_CHECKS + 1)
    const module = await moduleOf(driver, id)
    if (module === null) throw new Error('the module is gone')
    const again = await startRun(driver.deps, module, { trigger: 'reprocess', request: 'start' })
    await driver.deliver([{ kind: 'ingest', moduleId: id.moduleId, run: again?.run ?? 0 }])
    await driver.drain()
    expect(await read()).toMatchObject({ status: 'FAILED', failureCode: 'no_narration' })
  })

  it.each([
    ['scenes come', true],
    ['none has come for two minutes', false],
  ])('is READY with the step that its owner wrote by hand meanwhile, once %s', async (_what, isOffered) => {
    const { as, path, offer, check, read } = await processSilent()
    const step = { title: 'Close the valve', description: 'Turn it.', start: 5, end: 15, isManual: true }
    await answerOf(StepsAnswer, path, { as, json: { steps: [step] } })
    expect(await read()).toMatchObject({ status: 'PROCESSING' })
    if (isOffered) expect((await offer(0, 30)).proposals).toHaveLength(2)
    else await check(SCENES_CHECKS + 1)
    expect(await read()).toMatchObject({ status: 'READY', failureCode: null, lastError: null, newVersion: null })
    const { steps } = await answerOf(StepsAnswer, path, { as })
    expect(steps).toMatchObject([{ title: 'Close the valve' }])
  })

  it('fails with its reason where the browser sees no scene change', async () => {
    const { offer, read } = await processSilent()
    expect((await offer()).proposals).toEqual([])
    expect(await read()).toMatchObject({
      status: 'FAILED',
      failureCode: 'no_narration',
      lastError: expect.stringContaining('nothing to make steps from'),
    })
  })

  it('keeps the scenes that came first when another tab sends others', async () => {
    const { offer } = await processSilent()
    const first = await offer(0, 30)
    expect(await offer(0, 10, 20)).toEqual(first)
  })

  it('makes steps that the editor takes: none under 5 s, over 299 s or beyond the end', async () => {
    const { id, offer } = await processSilent()
    await env.DB.prepare('UPDATE modules SET duration_ms = 700000 WHERE id = ?').bind(id.moduleId).run()
    const { proposals } = await offer(40, 0, 3, 40, 400, 698, 800)
    expect(proposals.map(({ start, end }) => [start, end])).toEqual([
      [3, 40],
      [40, 339],
      [400, 698],
    ])
  })

  it('takes no scenes where something is said, and accepts none without a name', async () => {
    const { as, path, offer } = await processSilent()
    const { proposals } = await offer(0, 30)
    const [first, second] = proposals.map(({ id }) => id)
    const decide = (stepId: string | undefined, decision: string) =>
      ({ path: `${path}/proposals/${stepId}`, options: { as, json: { decision } } }) as const
    const accepted = decide(first, 'accept')
    expect(await problemOf(accepted.path, accepted.options)).toMatchObject({ code: 'invalid_request' })
    const rejected = decide(second, 'reject')
    await answerOf(StepsAnswer, rejected.path, rejected.options)
    const left = await answerOf(ProposalsAnswer, `${path}/proposals`, { as })
    expect(left.proposals.map(({ id }) => id)).toEqual([first])

    const ready = await seedModule({ userId: as, status: 'READY', durationMs: MINUTE })
    const refused = await problemOf(`/api/steps/${ready.id}/proposals`, { as, method: 'PUT', json: { starts: [0] } })
    expect(refused.code).toBe('not_in_progress')
  })
})
