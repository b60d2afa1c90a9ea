// Behaviour: what was read from the screen of a READY training comes into its steps.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Done, ModuleAnswer } from '#contract/module.ts'
import type { ScreenCorrection, ScreenReading } from '#contract/screen.ts'
import { ShareAnswer } from '#contract/share.ts'
import { ProposalsAnswer, type Step, StepsAnswer } from '#contract/step.ts'
import { makeBlock, makeReading } from '#contract/testing/examples.ts'
import { answerOf } from '#local/testing/api.ts'
import { commitRunSteps } from '#worker/domain/run/section-store.ts'
import { seedWork, written } from '#worker/domain/step/testing/seed-steps.ts'

type Training = Awaited<ReturnType<typeof ready>>

/** A training whose run has made steps at 0, 20 and 40 s. */
async function ready() {
  const { id, as } = await seedWork()
  expect(
    await commitRunSteps(
      env.DB,
      id,
      [0, 20, 40].map((start) => written(1, start)),
    ),
  ).toBe(true)
  return { as, id: id.moduleId, path: `/api/steps/${id.moduleId}` }
}

const read = ({ as, path }: Training) => answerOf(StepsAnswer, path, { as })
const proposalsOf = async ({ as, path }: Training) =>
  (await answerOf(ProposalsAnswer, `${path}/proposals`, { as })).proposals
const decide = ({ as, path }: Training, id: string, decision: string) =>
  answerOf(StepsAnswer, `${path}/proposals/${id}`, { as, json: { decision } })
const save = ({ as, path }: Training, steps: Partial<Step>[]) => answerOf(StepsAnswer, path, { as, json: { steps } })
const textsOf = ({ commands }: Pick<Step, 'commands'>) => commands.map(({ text }) => text)

async function putReading({ as, id }: Training, reading: ScreenReading): Promise<void> {
  await answerOf(Done, `/api/modules/${id}/screen`, { as, method: 'PUT', json: reading })
}

const LS = makeBlock('ls -a', 5_000)
const MAN = makeBlock('man -k directories', 21_000)
const READING = makeReading([LS, MAN])

describe('a screen that was read', () => {
  it('puts what is typed into the steps where they stand, for learners too, and keeps what they said before', async () => {
    const training = await ready()
    const before = await read(training)
    await putReading(training, READING)
    const after = await read(training)
    expect(after.steps.map(textsOf)).toEqual([['ls -a'], ['man -k directories'], []])
    expect(after.steps.map(({ id }) => id)).toEqual(before.steps.map(({ id }) => id))
    const [{ title, description } = {}] = before.steps
    expect(after.steps.map((step) => step.beforeScreen)).toMatchObject([
      { title, description, commands: [] },
      { commands: [] },
      null,
    ])
    expect(after.meta).toMatchObject({
      version: before.meta.version + 1,
      // Nobody who edits is stopped by it.
      editedVersion: before.meta.editedVersion,
    })
    expect(await proposalsOf(training)).toEqual([])
    const { module } = await answerOf(ShareAnswer, `/api/share/${training.id}`)
    expect(module.steps[0]?.commands).toEqual([{ kind: 'command', text: 'ls -a', startMs: 5_000 }])
    expect(JSON.stringify(module)).not.toContain('beforeScreen')
    const viewed = await answerOf(ModuleAnswer, `/api/modules/${training.id}`, { as: 'user_viewer' })
    expect(viewed.module.steps[0]?.beforeScreen).toBeNull()
  })

  it('changes nothing before it is read to the end, nor twice', async () => {
    const training = await ready()
    const before = await read(training)
    await putReading(training, { ...READING, isDone: false })
    expect(await read(training)).toEqual(before)
    await putReading(training, READING)
    const after = await read(training)
    await putReading(training, READING)
    expect(await read(training)).toEqual(after)
  })

  it('is proposed beside steps that a person has changed, and once rejected stays away', async () => {
    const training = await ready()
    const { steps } = await read(training)
    const [first, second, third] = steps as [Step, Step, Step]
    const own = { kind: 'command' as const, text: 'pwd', startMs: 1_000 }
    await save(training, [{ ...first, commands: [own] }, { ...second, title: 'My own title' }, third])
    await putReading(training, READING)
    const kept = await read(training)
    expect(kept.steps.map(textsOf)).toEqual([['pwd'], [], []])
    const proposals = await proposalsOf(training)
    expect(proposals.map(textsOf)).toEqual([['pwd', 'ls -a'], ['man -k directories']])
    expect(proposals.map(({ replaces }) => replaces)).toEqual([[first.id], [second.id]])
    await decide(training, proposals[1]?.id ?? '', 'reject')
    const accepted = await decide(training, proposals[0]?.id ?? '', 'accept')
    expect(accepted.steps.map(textsOf)).toEqual([['pwd', 'ls -a'], [], []])
    expect(accepted.steps[1]).toMatchObject({ title: 'My own title' })
    await putReading(training, READING)
    expect(await proposalsOf(training)).toEqual([])
    // What is read better is something else.
    await putReading(training, makeReading([LS, makeBlock('man -k directory', 21_000)]))
    expect((await proposalsOf(training)).map(textsOf)).toEqual([['man -k directory']])
    await putReading(training, makeReading([LS]))
    expect(await proposalsOf(training)).toEqual([])
  })

  it('puts into the steps what an owner marks as a command, corrected, and leaves out what is hidden', async () => {
    const training = await ready()
    await putReading(training, makeReading([{ ...LS, kind: 'other', text: 'Is -a' }, MAN]))
    const correct = ({ text: readText, startMs, endMs }: typeof LS, change: Partial<ScreenCorrection>) =>
      answerOf(Done, `/api/modules/${training.id}/screen/corrections`, {
        as: training.as,
        method: 'PUT',
        json: { readText, startMs, endMs, text: null, kind: null, isHidden: false, ...change },
      })
    expect((await read(training)).steps.map(textsOf)).toEqual([[], ['man -k directories'], []])
    await correct({ ...LS, text: 'Is -a' }, { text: 'ls -a', kind: 'command' })
    await correct(MAN, { isHidden: true })
    expect((await read(training)).steps.map(textsOf)).toEqual([['ls -a'], [], []])
  })

  it('describes the image of every step, a person’s too, until that shows another moment', async () => {
    const training = await ready()
    const { steps } = await read(training)
    await save(
      training,
      steps.map((step, index) => (index === 0 ? { ...step, title: 'My own title' } : step)),
    )
    await putReading(training, makeReading([makeBlock('Photos', 0, { kind: 'label', endMs: 30_000 })]))
    const textsOfImages = ({ steps: list }: StepsAnswer) => list.map(({ imageText }) => imageText)
    const described = await read(training)
    expect(textsOfImages(described)).toEqual(['Photos', 'Photos', ''])
    expect(described.steps.map(({ beforeScreen }) => beforeScreen)).toEqual([null, null, null])
    const { module } = await answerOf(ShareAnswer, `/api/share/${training.id}`)
    expect(module.steps.map(({ imageText }) => imageText)).toEqual(['Photos', 'Photos', ''])
    const changed = described.steps.map((step, index) => (index === 1 ? { ...step, imageAt: 45 } : step))
    expect(textsOfImages(await save(training, changed))).toEqual(['Photos', '', ''])
  })

  it('is taken back by saving what a step said before, for good', async () => {
    const training = await ready()
    await putReading(training, READING)
    const { steps } = await read(training)
    const back = await save(
      training,
      steps.map((step) => ({ ...step, ...step.beforeScreen })),
    )
    expect(back.steps.map(({ commands, beforeScreen }) => [commands, beforeScreen])).toEqual(
      Array.from({ length: 3 }, () => [[], null]),
    )
    await putReading(training, READING)
    expect((await read(training)).steps.map(textsOf)).toEqual([[], [], []])
  })
})
