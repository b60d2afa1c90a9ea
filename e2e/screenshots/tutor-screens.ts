import type { Page } from '@playwright/test'
import { sharedPosterPath } from '#contract/share-page.ts'
import type { AnswerMeta, ChatMessage } from '#contract/tutor.ts'
import {
  FAKE_ID,
  FAKE_STEP,
  fakeConversation,
  fakeModule,
  fakeSteps,
  fakeTranscript,
  problemOf,
} from '../fake-module.ts'
import { holdAnswers } from '../held-answer.ts'
import type { Screen } from './screen.ts'

const TRAINING = `/training/${FAKE_ID}`
const STREAM = '**/api/ai/contextual-response/stream'

type Said = [question: string, answer: Partial<ChatMessage>]

const step = { id: 'step-1', title: 'Close the valve', start: 0 }
const META: AnswerMeta = { turnId: 't', isCovered: true, citations: [], step: null }

const HANDLE = 'Turn the handle to the right until it stops.'
const WAIT = 'Then wait until the needle of the gauge points to zero, which takes about a minute.'
const CONVERSATION: readonly Said[] = [
  [
    'How do I close the valve?',
    {
      content: `${HANDLE} ${WAIT}`,
      meta: {
        ...META,
        citations: [
          { segmentIds: ['s1'], start: 12, sentence: HANDLE },
          { segmentIds: ['s4'], start: 41, sentence: WAIT },
        ],
      },
    },
  ],
  [
    'Which oil does the pump of the older series need, and how often is it changed in a dusty hall?',
    { content: 'This video does not cover that.', meta: { ...META, isCovered: false, step } },
  ],
  ['And after that?', { content: 'After that the lid', end: 'stopped' }],
  ['What does the red lamp mean?', { content: 'The red lamp means that the', end: 'broken' }],
]

const NOTE = '“Learners often ask about the magenta gasket: it stays in.”'
const FROM_NOTE: Said = [
  'What about the magenta gasket, does it stay in or is it new each time?',
  {
    content: `${NOTE} (trainer's note, step 1)`,
    meta: {
      ...META,
      citations: [{ segmentIds: [], start: 0, sentence: NOTE, note: { stepId: step.id, stepNumber: 1 } }],
    },
  },
]

const FROM_SCREEN: Said = [
  'What exactly do I type?',
  {
    content: 'man -k directory (on screen at 0:06)',
    meta: { ...META, citations: [{ segmentIds: [], start: 6, sentence: 'man -k directory', isOnScreen: true }] },
  },
]

function listMessages(said: readonly Said[]): ChatMessage[] {
  return said.flatMap(([question, answer], at) => {
    const turnId = `turn-000${at}`
    const fields = { turnId, timestamp: '2026-11-21T10:00:00.000Z', isTyping: false, meta: null }
    return [
      { ...fields, id: `${turnId}-q`, role: 'user' as const, content: question, end: null },
      { ...fields, id: `${turnId}-a`, role: 'assistant' as const, content: '', end: 'complete' as const, ...answer },
    ]
  })
}

/** The tutor with this conversation, open on a phone too. */
async function openTutor(
  page: Page,
  said: readonly Said[] = [],
  fields: Parameters<typeof fakeModule>[1] = {},
): Promise<void> {
  await fakeModule(page, fields)
  await fakeTranscript(page, ['Close the valve.'])
  await fakeConversation(page, listMessages(said))
  await showTutor(page)
}

async function showTutor(page: Page): Promise<void> {
  await page.goto(TRAINING)
  const show = page.getByRole('button', { name: 'Show the tutor' })
  await page.getByRole('textbox', { name: 'Your question' }).waitFor()
  if (await show.isVisible()) await show.click()
}

async function ask(page: Page, question: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Your question' })
  await field.fill(question)
  await field.press('Enter')
}

/** A screen of a signed-in person. */
function screen(name: string, open: Screen['open']): Screen {
  return { name: `tutor-${name}`, who: 'person', open }
}

/** Every state of the tutor beside a module that stands in for a real one. */
export const TUTOR_SCREENS: readonly Screen[] = [
  screen('empty', (page) => openTutor(page)),
  screen('closed', async (page) => {
    await fakeModule(page)
    await page.goto(TRAINING)
    await page.getByRole('textbox', { name: 'Your question' }).waitFor()
  }),
  screen('loading', async (page) => {
    await fakeModule(page)
    await page.route('**/api/ai/conversation/**', () => {})
    await showTutor(page)
  }),
  screen('conversation', (page) => openTutor(page, CONVERSATION.slice(0, 2))),
  screen('note', (page) => openTutor(page, [FROM_NOTE])),
  screen('on-screen', async (page) => {
    await page.route(/\/images\/(?:step-0|poster)/, (route) => route.fulfill({ path: 'docs/images/editor.webp' }))
    await openTutor(page, [FROM_SCREEN], { posterUrl: sharedPosterPath(FAKE_ID) })
    await fakeSteps(page, [{ ...FAKE_STEP, image: 'step-0', imageText: 'man -k directory' }])
    await page.reload()
    await showTutor(page)
    await page.getByRole('img', { name: 'man -k directory' }).last().waitFor()
  }),
  screen('ended-early', (page) => openTutor(page, CONVERSATION.slice(2))),
  screen('typing', async (page) => {
    await openTutor(page)
    await holdAnswers(page, { pieces: [] })
    await ask(page, 'How do I close the valve?')
  }),
  screen('streaming', async (page) => {
    await openTutor(page, CONVERSATION.slice(0, 1))
    await holdAnswers(page, { pieces: ['Turn the handle to the right', ' until it'] })
    await ask(page, 'How do I open it again?')
    await page.getByText('until it', { exact: false }).last().waitFor()
  }),
  screen('failed', async (page) => {
    await openTutor(page)
    await page.route('**/api/ai/contextual-response**', (route) => route.abort())
    await ask(page, 'How do I close the valve?')
    await page.getByRole('button', { name: 'Ask again' }).waitFor()
  }),
  screen('limited', async (page) => {
    await openTutor(page)
    const problem = problemOf('rate_limited', 'You have asked many questions in a short time. Please wait a minute.')
    await page.route(STREAM, (route) => route.fulfill({ ...problem, headers: { 'retry-after': '60' } }))
    await ask(page, 'How do I close the valve?')
    await page.getByRole('button', { name: /Ask again in/ }).waitFor()
  }),
  screen('offline', async (page) => {
    await openTutor(page, CONVERSATION.slice(0, 1))
    await page.context().setOffline(true)
    await page.getByRole('textbox', { name: 'Your question' }).fill('And then?')
  }),
  screen('processing', async (page) => {
    await fakeModule(page, { status: 'PROCESSING', progress: 62, message: 'Writing steps' })
    await showTutor(page)
  }),
  screen('steps-only', async (page) => {
    await fakeModule(page)
    await showTutor(page)
  }),
  screen('listening', async (page) => {
    await page.addInitScript(() => {
      class Recogniser {
        onresult: ((event: unknown) => void) | null = null
        start() {
          setTimeout(() => this.onresult?.({ results: [{ isFinal: false, 0: { transcript: 'how do I close the' } }] }))
        }
        stop() {}
        abort() {}
      }
      Object.assign(window, { SpeechRecognition: Recogniser, webkitSpeechRecognition: Recogniser })
    })
    await openTutor(page, CONVERSATION.slice(0, 1))
    await page.getByRole('button', { name: 'Ask by voice' }).click()
  }),
]
