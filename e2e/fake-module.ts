import type { Page, Route } from '@playwright/test'
import type { Module, ModuleWork } from '#contract/module.ts'
import { PROBLEMS, type ProblemCode } from '#contract/problem.ts'
import type { ScreenAnswer, ScreenReading } from '#contract/screen.ts'
import type { Proposal, Step, StepsAnswer } from '#contract/step.ts'
import { makeModule, makeStep, NO_LEARNERS, NO_QUESTIONS } from '#contract/testing/examples.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import type { ChatMessage } from '#contract/tutor.ts'

/** In the shape of real ids, but of no module. */
export const FAKE_ID = 'AAAAAAAAAAAAAAAAAAAAAA'

const MODULE: Module & { steps: Step[]; work?: ModuleWork } = {
  ...makeModule({
    id: FAKE_ID,
    title: 'Replace the filter of the pump',
    createdAt: '2026-11-20T10:00:00.000Z',
    totalDuration: 90,
  }),
  steps: [],
}

/** A run that makes the module again. */
export const FAKE_VERSION: NonNullable<Module['newVersion']> = {
  run: 2,
  status: 'PROCESSING',
  progress: 42,
  message: 'Listening to the narration (3 of 7 chunks)',
  lastError: null,
  failureCode: null,
}

export const FAKE_STEP: Step = makeStep('step-1', 0, {
  title: 'Close the valve',
  description: 'Turn the handle until it stops.',
  end: 20,
  originalText: '',
})

/** Answers one call; later ones of the same path come first. */
async function answer(page: Page, path: string, respond: (route: Route) => unknown): Promise<void> {
  await page.route(new RegExp(`/api/${path}(?:\\?.*)?$`), async (route) => void (await respond(route)))
}

export function problemOf(code: ProblemCode, detail: string) {
  const { status, title } = PROBLEMS[code]
  const body = { type: 'about:blank', title, status, code, detail, requestId: 'e2e', success: false, error: detail }
  return { status, json: body }
}

/** A module that exists only for this page: its state is changed by assigning to what is returned. */
export async function fakeModule(page: Page, fields: Partial<typeof MODULE> = {}) {
  const module = { ...MODULE, ...fields }
  await answer(page, `modules/${FAKE_ID}`, (route) => route.fulfill({ json: { success: true, module } }))
  await answer(page, `modules/${FAKE_ID}/live-ticket`, (route) => route.fulfill(problemOf('unavailable', 'No sockets')))
  await fakeTranscript(page, [])
  await fakeConversation(page, [])
  await answer(page, `learning-metrics/${FAKE_ID}`, (route) => route.fulfill({ json: NO_LEARNERS }))
  await answer(page, `questions/${FAKE_ID}`, (route) => route.fulfill({ json: NO_QUESTIONS }))
  await answer(page, `step-reports/${FAKE_ID}`, (route) =>
    route.fulfill({ json: { success: true, entries: [], hidden: 0 } }),
  )
  await fakeProposals(page, [])
  await fakeVideoUrl(page, '/sample/adapt-sample.mp4')
  await failSteps(page, (route) => {
    const isEmpty = module.status !== 'READY' && module.steps.length === 0
    if (!isEmpty) return route.fulfill({ json: stepsAnswerOf([FAKE_STEP]) })
    if (module.status === 'PROCESSING') {
      return route.fulfill(problemOf('steps_not_ready', 'Steps not ready yet - module still processing'))
    }
    const reason = module.lastError ?? 'the trainer can see the reason'
    return route.fulfill(problemOf('processing_failed', `Processing failed: ${reason}`))
  })
  return module
}

const TRANSCRIBED = { confidence: null, isEdited: false }

/** Fakes the module's transcript, in lines of four seconds. */
export async function fakeTranscript(
  page: Page,
  lines: readonly string[],
  fields: Partial<TranscriptAnswer> = {},
): Promise<void> {
  const segments = lines.map((text, at) => ({ id: `l${at}`, start: at * 4, end: at * 4 + 4, text, ...TRANSCRIBED }))
  const json: TranscriptAnswer = {
    success: true,
    source: 'speech',
    language: 'en',
    segments,
    isRough: false,
    withoutSpeech: [],
    orphaned: [],
    ...fields,
  }
  await answer(page, `transcript/${FAKE_ID}`, (route) => route.fulfill({ json }))
}

/** What the person and the tutor of the module said before. */
export async function fakeConversation(page: Page, messages: ChatMessage[]): Promise<void> {
  await answer(page, `ai/conversation/${FAKE_ID}`, (route) => route.fulfill({ json: { success: true, messages } }))
}

/** What was read from the screen of the module. */
export async function fakeScreen(
  page: Page,
  reading: Partial<ScreenReading>,
  organization: ScreenAnswer['organization'] = null,
): Promise<void> {
  const json: ScreenAnswer = {
    success: true,
    readsScreen: true,
    organization,
    reading: { readMs: 90_000, isDone: true, secrets: [], blocks: [], ...reading },
    corrections: [],
    videoId: 'm1',
    ignoredArea: null,
  }
  await answer(page, `modules/${FAKE_ID}/screen`, (route) => route.fulfill({ json }))
}

/** What a new run offers beside the steps. */
export async function fakeProposals(page: Page, proposals: Proposal[]): Promise<void> {
  await answer(page, `steps/${FAKE_ID}/proposals`, (route) => route.fulfill({ json: { success: true, proposals } }))
}

export async function fakeVideoUrl(page: Page, url: string | null): Promise<void> {
  await answer(page, `video-url/module/${FAKE_ID}`, (route) => route.fulfill({ json: { success: true, url } }))
}

function stepsAnswerOf(steps: Step[]): StepsAnswer {
  const meta: StepsAnswer['meta'] = {
    durationSec: 90,
    version: 1,
    editedVersion: 1,
    transcriptSource: 'speech',
    cuts: [],
  }
  return { success: true, steps, transcript: 'Close the valve.', meta }
}

export async function fakeSteps(page: Page, steps: Step[]): Promise<void> {
  await failSteps(page, (route) => route.fulfill({ json: stepsAnswerOf(steps) }))
}

export async function failSteps(page: Page, respond: (route: Route) => unknown): Promise<void> {
  await answer(page, `steps/${FAKE_ID}`, respond)
}

/** A shared page without a module in it, as from a server that could not load one, so that it asks for its module. */
export async function fakeShare(page: Page, respond: (route: Route) => unknown): Promise<void> {
  await page.route(`**/share/${FAKE_ID}`, async (route) => {
    const shell = await (await page.request.get(`/share/${FAKE_ID}`, { headers: { accept: 'text/html' } })).text()
    const body = shell.replace(/<script [^>]*id="share-data".*?<\/script>/s, '')
    await route.fulfill({ contentType: 'text/html', body })
  })
  await answer(page, `share/${FAKE_ID}`, respond)
}
