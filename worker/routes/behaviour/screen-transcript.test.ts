// Behaviour: names that the screen of a READY training shows repair words of its transcript.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { Done } from '#contract/module.ts'
import { StepsAnswer } from '#contract/step.ts'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { CorrectionAnswer, TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { type FormedSegment, steps } from '#worker/db/schema.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { written } from '#worker/domain/step/testing/seed-steps.ts'
import { putTranscript, readTranscript } from '#worker/domain/transcript/transcript-store.ts'

const HEARD = 'Now open nautilis and gedip.'
const REPAIRED = 'Now open Nautilus and gedip.'
const NAUTILUS = makeBlock('Nautilus', 1_000, { kind: 'label' })
const GEDIT = makeBlock('gedit', 1_000)

const lineOf = (text: string, unsure?: number[]): FormedSegment => {
  return { startMs: 0, endMs: 4_000, text, confidence: 0.9, ...(unsure && { unsure }) }
}
const CLEAR = { startMs: 5_000, endMs: 9_000, text: 'Then click save and close it.', confidence: 0.9 }

/** A READY training of which the first line has two unsure words. */
async function ready(fields = {}) {
  const as = `user_${nanoid(8)}`
  const { id } = await seedModule({ userId: as, status: 'READY', transcriptRun: 1, run: 1, ...fields })
  await transcribeAs(id, 1, [lineOf(HEARD, [2, 4]), CLEAR])
  const step = { ...written(1, 0), moduleId: id, position: 0, segmentIds: ['s1-00000'], originalText: HEARD }
  await openDb(env.DB).insert(steps).values(step)
  return { as, id, path: `/api/transcript/${id}` }
}

async function transcribeAs(moduleId: string, run: number, lines: FormedSegment[]): Promise<void> {
  const transcriptKey = await putTranscript(env.MEDIA, { moduleId, run }, lines)
  await updateModule(openDb(env.DB), moduleId, { transcriptKey, transcriptRun: run })
}

type Training = Awaited<ReturnType<typeof ready>>

const putReading = ({ as, id }: Training, blocks: Parameters<typeof makeReading>[0]) =>
  answerOf(Done, `/api/modules/${id}/screen`, { as, method: 'PUT', json: makeReading(blocks) })
const patchOff = ({ as, id }: Training) =>
  answerOf(Done, `/api/modules/${id}`, { as, method: 'PATCH', json: { readsScreen: false } })
const read = ({ as, path }: Training) => answerOf(TranscriptAnswer, path, { as })
const firstLine = async (training: Training) => (await read(training)).segments[0]
const quoteOf = async ({ as, id }: Training) =>
  (await answerOf(StepsAnswer, `/api/steps/${id}`, { as })).steps[0]?.originalText
const correct = ({ as, path }: Training, text: string, segment = 's1-00000') =>
  answerOf(CorrectionAnswer, `${path}/${segment}`, { as, method: 'PATCH', json: { text } })

describe('names on the screen', () => {
  it('repair unsure words, with what quotes them, and the owner alone sees what was transcribed', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    expect(await firstLine(training)).toMatchObject({ text: REPAIRED, isEdited: false, beforeScreen: HEARD })
    expect(await quoteOf(training)).toBe(REPAIRED)
    const learner = await answerOf(TranscriptAnswer, training.path, { as: 'user_viewer' })
    expect(learner.segments[0]).toMatchObject({ text: REPAIRED })
    expect(learner.segments[0]?.beforeScreen).toBeUndefined()
  })

  it('come into steps that were written from the words, as an update that can be taken back', async () => {
    const training = await ready()
    const db = openDb(env.DB)
    await db.update(steps).set({ description: HEARD }).where(eq(steps.moduleId, training.id))
    await putReading(training, [NAUTILUS])
    const { steps: list } = await answerOf(StepsAnswer, `/api/steps/${training.id}`, { as: training.as })
    expect(list[0]).toMatchObject({ description: REPAIRED, beforeScreen: { description: HEARD } })
  })

  it('leave the other unsure words unsure, for a later reading', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    const module = {
      id: training.id,
      captionsKey: null,
      transcriptKey: `transcripts/${training.id}/1`,
      transcriptRun: 1,
    }
    const { segments } = await readTranscript({ db: openDb(env.DB), bucket: env.MEDIA }, module)
    expect(segments[0]?.unsure).toEqual([4])
    await putReading(training, [NAUTILUS, GEDIT])
    expect(await firstLine(training)).toMatchObject({ text: 'Now open Nautilus and gedit.', beforeScreen: HEARD })
  })

  it('give the line back where a later reading does not have them, and a reading alike changes nothing', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    const { meta } = await answerOf(StepsAnswer, `/api/steps/${training.id}`, { as: training.as })
    await putReading(training, [NAUTILUS])
    expect((await answerOf(StepsAnswer, `/api/steps/${training.id}`, { as: training.as })).meta).toEqual(meta)
    await putReading(training, [])
    expect(await firstLine(training)).toMatchObject({ text: HEARD, isEdited: false })
    expect((await firstLine(training))?.beforeScreen).toBeUndefined()
    expect(await quoteOf(training)).toBe(HEARD)
  })

  it('never change what a person has corrected, or has set back', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    const { segments } = await correct(training, HEARD)
    expect(segments[0]).toMatchObject({ text: HEARD, isEdited: false })
    await putReading(training, [NAUTILUS, GEDIT])
    expect(await firstLine(training)).toMatchObject({ text: HEARD })
    expect((await firstLine(training))?.beforeScreen).toBeUndefined()
    await correct(training, 'Now open the nautilis by hand.')
    await putReading(training, [NAUTILUS])
    expect(await firstLine(training)).toMatchObject({ text: 'Now open the nautilis by hand.', isEdited: true })
  })

  it('are no lost correction where a later run transcribes other words', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    await transcribeAs(training.id, 2, [lineOf('Open it here.'), CLEAR])
    expect(await read(training)).toMatchObject({ orphaned: [], segments: [{ text: 'Open it here.' }, {}] })
    await transcribeAs(training.id, 3, [lineOf(HEARD, [2, 4]), CLEAR])
    expect(await firstLine(training)).toMatchObject({ text: REPAIRED, beforeScreen: HEARD })
    await correct(training, HEARD, 's3-00000')
    await putReading(training, [NAUTILUS])
    expect(await firstLine(training)).toMatchObject({ text: HEARD })
  })

  it('are no lost correction either where a person has taken them back', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    await correct(training, HEARD)
    await transcribeAs(training.id, 2, [lineOf('Open it here.'), CLEAR])
    expect((await read(training)).orphaned).toEqual([])
  })

  it('are a person’s words where that person has typed them', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    await correct(training, 'Now open it by hand.')
    await correct(training, REPAIRED)
    await putReading(training, [])
    expect(await firstLine(training)).toMatchObject({ text: REPAIRED, isEdited: true })
  })
})

describe('a screen that is not to be read any more', () => {
  const PERSONS = 'Then press Save and close it.'
  const repairs = ({ id }: { id: string }) =>
    env.DB.prepare('SELECT text FROM transcript_corrections WHERE module_id = ?').bind(id).all<{ text: string }>()

  it('takes its repairs back from the transcript and what quotes it; a person’s words stay', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    await correct(training, PERSONS, 's1-00001')
    await patchOff(training)
    const { segments } = await read(training)
    expect(segments.map(({ text }) => text)).toEqual([HEARD, PERSONS])
    expect(segments[0]?.beforeScreen).toBeUndefined()
    expect(await quoteOf(training)).toBe(HEARD)
    expect((await repairs(training)).results).toEqual([{ text: PERSONS }])
  })

  it('repairs nothing of a transcript that is made meanwhile', async () => {
    const training = await ready()
    await putReading(training, [NAUTILUS])
    await updateModule(openDb(env.DB), training.id, { status: 'PROCESSING' })
    await patchOff(training)
    await updateModule(openDb(env.DB), training.id, { status: 'READY' })
    await transcribeAs(training.id, 2, [lineOf(HEARD, [2, 4]), CLEAR])
    expect(await firstLine(training)).toMatchObject({ text: HEARD })
  })

  it('does so in all trainings of an organization that wants none', async () => {
    const orgId = `org_${nanoid(8)}`
    const training = await ready({ orgId })
    const caller = { as: training.as, orgId, orgRole: 'org:admin' }
    const json = makeReading([NAUTILUS])
    await answerOf(Done, `/api/modules/${training.id}/screen`, { ...caller, method: 'PUT', json })
    const text = async () => (await answerOf(TranscriptAnswer, training.path, caller)).segments[0]?.text
    expect(await text()).toBe(REPAIRED)
    await answerOf(Done, '/api/account/screen', { ...caller, method: 'PUT', json: { readsScreen: false } })
    expect(await text()).toBe(HEARD)
    const { steps: list } = await answerOf(StepsAnswer, `/api/steps/${training.id}`, caller)
    expect(list[0]?.originalText).toBe(HEARD)
  })
})
