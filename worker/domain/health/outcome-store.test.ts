import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { AppError, type AppErrorCode } from '#worker/core/errors.ts'
import type { Services } from '#worker/core/services.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { StepWindow, TutorModel } from '#worker/ports/language-model.ts'
import type { SpeechChunk } from '#worker/ports/speech-to-text.ts'
import { listOutcomes, makeOutcomeRecorder, watchServices } from './outcome-store.ts'

const signal = new AbortController().signal
const TRANSCRIBED = { words: [], language: null }

/** Services that fail with the given codes, and the outcomes that are recorded for them. */
function openWatched(fails: () => AppErrorCode | null, more: Partial<Services> = {}) {
  const noted = new Map<string, string | null>()
  const answer = <T>(value: T): T => {
    const code = fails()
    if (code !== null) throw new AppError(code, 'No.')
    return value
  }
  const tutorModel: TutorModel = {
    name: 'fake',
    async *answer() {
      yield answer({ text: 'Yes.', segments: [1] })
    },
    judge: async () => answer(new Set<number>()),
  }
  const services: Services = {
    identity: { verify: async () => null },
    speech: { name: 'fake', transcribe: async () => answer(TRANSCRIBED) },
    stepWriter: { name: 'fake', writeSteps: async () => answer([]) },
    textRewriter: { name: 'fake', rewrite: async () => answer('') },
    tutorModel,
    translator: null,
    mailer: null,
    webhooks: { allows: () => true, post: async () => undefined },
    ...more,
  }
  return { noted, watched: watchServices(services, (part, code) => void noted.set(part, code)) }
}

async function askAll({ speech, stepWriter, textRewriter, tutorModel }: Services): Promise<void> {
  const asked = [
    speech.transcribe({} as SpeechChunk, signal),
    stepWriter.writeSteps({} as StepWindow, signal),
    textRewriter.rewrite({ text: '', instruction: '' }, signal),
    transcribeOut(tutorModel),
  ]
  await Promise.allSettled(asked)
}

async function transcribeOut(model: TutorModel | null): Promise<void> {
  for await (const reply of model?.answer({ messages: [], moduleId: '' }, signal) ?? []) {
    expect(reply).toMatchObject({ text: 'Yes.' })
  }
}

it('has it noted how each call of a model ended', async () => {
  let fails: AppErrorCode | null = null
  const { noted, watched } = openWatched(() => fails)
  await askAll(watched)
  expect(Object.fromEntries(noted)).toEqual({ speech: null, steps: null, rewriter: null, tutor: null })
  fails = 'ai_quota'
  await askAll(watched)
  expect([...noted.values()]).toEqual(['ai_quota', 'ai_quota', 'ai_quota', 'ai_quota'])
  noted.clear()
  // What was given was too much; that says nothing of the model.
  fails = 'ai_too_large'
  await askAll(watched)
  expect(noted.size).toBe(0)
})

it('notes nothing of a model that our own pace has kept from being called', async () => {
  const writeSteps = () => Promise.reject(new AppError('ai_busy', 'Full.', { isPaced: true }))
  const { noted, watched } = openWatched(() => null, { stepWriter: { name: 'fake', writeSteps } })
  await askAll(watched)
  expect(noted.has('steps')).toBe(false)
  expect(noted.get('speech')).toBeNull()
})

it('leaves alone what is no model', () => {
  const own = { stepWriter: extractiveStepWriter, textRewriter: extractiveTextRewriter, tutorModel: null }
  expect(openWatched(() => null, own).watched).toMatchObject(own)
})

it('keeps what is new at once, and what is not now and then', async () => {
  let nowMs = 1_000_000
  let writes = 0
  const work: Promise<unknown>[] = []
  const waitUntil = (each: Promise<unknown>) => void (work.push(each), (writes += 1))
  const note = makeOutcomeRecorder({ d1: env.DB, nowMs: () => nowMs, ctx: { waitUntil }, written: new Map() })
  for (let call = 0; call < 60; call += 1) note('speech', null)
  expect(writes).toBe(1)
  nowMs += 3_000
  for (let call = 0; call < 60; call += 1) note('speech', call % 2 === 0 ? 'ai_busy' : null)
  expect(writes).toBe(2)
  await Promise.all(work)
  expect(await listOutcomes(env.DB)).toEqual([
    { part: 'speech', okAt: 1_000_000, failedAt: 1_003_000, code: 'ai_busy' },
  ])
})
