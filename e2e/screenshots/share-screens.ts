import type { Page, Route } from '@playwright/test'
import type { AskedStep } from '#contract/records/asked-steps.ts'
import type { SharePageData } from '#contract/share-page.ts'
import { makeSharedModule, makeSharedStep, makeStep } from '#contract/testing/examples.ts'
import type { AnswerMeta } from '#contract/tutor.ts'
import { FAKE_ID, fakeShare, problemOf } from '../fake-module.ts'
import { stepsOf } from '../training.ts'
import { go, HEVC, type Screen } from './screen.ts'
import { untilImage } from './until-image.ts'

const SHARE = `/share/${FAKE_ID}`
const TITLE = 'Replace the filter of the pump'

/** A shared module in a state that a real one passes through too quickly. */
async function openShared(page: Page, status: string, change: object = {}): Promise<void> {
  const state = { status, progress: 5, message: '', totalDuration: null, hasVideo: false, uploadPercent: 40 }
  const module = {
    ...state,
    id: FAKE_ID,
    title: TITLE,
    createdAt: '2026-11-20T10:00:00.000Z',
    posterUrl: null,
    language: null,
    steps: [],
    ...change,
  }
  await fakeShare(page, (route) => route.fulfill({ json: { success: true, module } }))
  await go(page, SHARE, TITLE)
}

const STEPS = ['Close the valve', 'Take the lid off', 'Take the old filter out', 'Put the new filter in'].map(
  (title, at) => makeSharedStep(makeStep(`step-${at}`, at * 12, { title })),
)

const META: AnswerMeta = { turnId: 't', isCovered: true, citations: [], step: null }
const VALVE = 'Turn the handle to the right until it stops.'
const GAUGE = 'Then wait until the needle of the gauge points to zero, which takes about a minute.'

const ANSWERS = [
  {
    answer: `${VALVE} ${GAUGE}`,
    citations: [
      { segmentIds: ['s1'], start: 3, sentence: VALVE },
      { segmentIds: ['s4'], start: 9, sentence: GAUGE },
    ],
  },
  { answer: 'Next comes “Take the lid off”.', step: { id: 'step-1', title: 'Take the lid off', start: 12 } },
  {
    answer: 'This video does not cover that.',
    isCovered: false,
    step: { id: 'step-2', title: 'Take the old filter out', start: 24 },
  },
]
const QUESTIONS = ['How do I close the valve?', 'And then?', 'Which oil does the pump of the older series need?']

/** A shared page on which people with the link can ask the tutor, in the window alone. */
async function openTutored(page: Page, respond: (route: Route, turn: number) => unknown): Promise<void> {
  const module = makeSharedModule({ id: FAKE_ID, title: TITLE, totalDuration: 60, steps: STEPS, hasTutor: true })
  await page.route('**/share/*/video', (route) =>
    route.continue({ url: new URL('/sample/adapt-sample.mp4', route.request().url()).href }),
  )
  let turn = 0
  await page.route('**/api/share/*/questions', async (route) => void (await respond(route, turn++)))
  await fakeShare(page, (route) => route.fulfill({ json: { success: true, module } }))
  await page.goto(SHARE)
  await page.getByRole('button', { name: 'Ask the tutor' }).click()
  await page.getByRole('textbox', { name: 'Your question' }).waitFor()
}

async function ask(page: Page, questions: readonly string[]): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Your question' })
  for (const [at, question] of questions.entries()) {
    await field.fill(question)
    await field.press('Enter')
    await page.getByRole('log').getByRole('listitem').nth(at).getByRole('button').first().waitFor()
  }
}

function answer(route: Route, turn: number): Promise<void> {
  return route.fulfill({ json: { success: true, ms: 40, ...META, ...ANSWERS[turn] } })
}

/** A screen of a person who has only the link. */
function screen(name: string, open: Screen['open']): Screen {
  return { name: `share-${name}`, who: 'stranger', open }
}

/** Three chapters, one of them with a long title, and a step after them. */
export const CHAPTERED = [
  'Before you begin',
  'Before you begin',
  'Take the old filter out, and clean everything that it has stood in for the last twelve months',
  'Take the old filter out, and clean everything that it has stood in for the last twelve months',
  'Put in the new one',
  null,
].map((chapter, at) => ({ ...makeStep(`step ${at + 1}`, at * 400, { end: at * 400 + 200 }), chapter }))

/** A step with all that one can have, after one that is done. */
const FOLLOWED = [
  makeSharedStep(makeStep('f1', 0, { title: 'Close the valve' })),
  makeSharedStep(
    makeStep('f2', 12, {
      title: 'Take the lid off and lay it out of the way',
      description: 'Loosen the four screws crosswise, half a turn each, until the lid can be lifted with one hand.',
      chapter: 'Before you begin',
      callouts: [
        { kind: 'warning', text: 'The edge of the lid is sharp.' },
        { kind: 'tool', text: 'Hex key, 5 mm' },
      ],
    }),
  ),
]

async function openFollowed(page: Page): Promise<void> {
  await openShared(page, 'READY', { steps: FOLLOWED, totalDuration: 60, hasVideo: true })
  await page.getByRole('button', { name: 'Follow along' }).click()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
}

const ASKED: AskedStep[] = [
  {
    ...pickTexts(FOLLOWED[0]),
    why: 'changed',
    earlier: { title: 'Close the cock', description: 'Turn the handle.' },
    note: '',
  },
  { ...pickTexts(FOLLOWED[1]), why: 'again', earlier: null, note: 'Wear gloves: the edge of the lid is sharp.' },
]

function pickTexts(step: (typeof FOLLOWED)[number] | undefined) {
  const { id = '', title = '', description = '' } = step ?? {}
  return { id, title, description }
}

/** As a person sees it who is asked for some of its steps again. */
async function openAsked(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('adapt_whose', 'p1'))
  await page.route('**/api/my/trainings/*/asked', (route) => route.fulfill({ json: { success: true, steps: ASKED } }))
  const third = makeSharedStep(makeStep('f3', 30, { title: 'Take the old filter out' }))
  await openShared(page, 'READY', { steps: [...FOLLOWED, third], totalDuration: 60, hasVideo: true })
  await page.getByText('What it said before').click()
  await stepsOf(page).first().getByRole('button').first().click()
}

/** A link that opens nothing, or not yet. */
async function openClosed(page: Page, data: Pick<SharePageData, 'status' | 'closed'>, text: string): Promise<void> {
  await page.route(`**${SHARE}`, async (route) => {
    const shell = await (await page.request.get(SHARE, { headers: { accept: 'text/html' } })).text()
    const json = JSON.stringify({ module: null, look: 'page', ...data } satisfies SharePageData)
    const body = shell.replace(
      /(<script [^>]*id="share-data"[^>]*>).*?(<\/script>)/s,
      (_, open, end) => open + json + end,
    )
    await route.fulfill({ contentType: 'text/html', body })
  })
  await go(page, SHARE, text)
}

/** A training on which learners report from the steps. */
async function openReported(page: Page): Promise<void> {
  await openShared(page, 'READY', { steps: FOLLOWED, totalDuration: 60, hasVideo: true, takesReports: true })
  await page.getByRole('button', { name: /^Report from step 2/ }).click()
  await page.getByRole('dialog').waitFor()
}

/** What people with the link see. */
export const SHARE_SCREENS: readonly Screen[] = [
  { name: 'share', who: 'stranger', open: (page, moduleId) => openAtStep(page, `/share/${moduleId}`) },
  { name: 'embed', who: 'stranger', open: (page, moduleId) => openAtStep(page, `/embed/${moduleId}`) },
  screen('missing', (page) => go(page, '/share/nothing', 'Module Not Found')),
  screen('missing-below', (page) => go(page, '/share/x/y', 'Module Not Found')),
  { name: 'embed-missing', who: 'stranger', open: (page) => go(page, '/embed/', 'Module Not Found') },
  screen('unseen', (page) => openShared(page, 'READY', { hasVideo: true, videoCodec: HEVC })),
  screen('chapters', async (page) => {
    await openShared(page, 'READY', { steps: CHAPTERED.map(makeSharedStep), totalDuration: 2_400, hasVideo: true })
    await stepsOf(page).nth(3).getByRole('button').first().click()
  }),
  screen('asked', openAsked),
  screen('asked-follow', async (page) => {
    await openAsked(page)
    await page.getByRole('button', { name: 'Follow along' }).click()
    await page.getByRole('button', { name: 'Repeat' }).waitFor()
  }),
  screen('follow', (page) => openFollowed(page)),
  screen('follow-voice', async (page) => {
    await openFollowed(page)
    await page.getByRole('button', { name: 'Voice' }).click()
  }),
  screen('follow-end', async (page) => {
    await openFollowed(page)
    for (const _ of FOLLOWED) await page.keyboard.press('PageDown')
  }),
  screen('keep', openKeep),
  screen('kept', keep),
  screen('copy', async (page, moduleId) => {
    await keep(page, moduleId)
    await page.context().setOffline(true)
    await go(page, `/share/${moduleId}`, 'This is the copy on this device')
  }),
  { name: 'kept-empty', who: 'stranger', open: (page) => go(page, '/kept', 'Nothing is kept yet') },
  {
    name: 'kept',
    who: 'stranger',
    open: async (page, moduleId) => {
      await keep(page, moduleId)
      await go(page, '/kept', 'up to date')
    },
  },
  screen('password', (page) => openClosed(page, { status: 403 }, 'This link needs a password')),
  screen('link-ended', (page) => openClosed(page, { status: 410, closed: 'link_ended' }, 'This link has ended')),
  screen('link-replaced', (page) =>
    openClosed(page, { status: 410, closed: 'link_replaced' }, 'This link was replaced'),
  ),
  screen('report', openReported),
  screen('preparing', (page) => openShared(page, 'PROCESSING')),
  screen('failed', (page) => openShared(page, 'FAILED')),
  screen('ended', async (page) => {
    await openShared(page, 'PROCESSING')
    await fakeShare(page, (route) => route.fulfill(problemOf('not_found', 'There is no such module.')))
    await page.getByText('Sharing has ended').waitFor()
  }),
  screen('tutor', (page) => openTutored(page, answer)),
  screen('tutor-waiting', async (page) => {
    await openTutored(page, () => {})
    const field = page.getByRole('textbox', { name: 'Your question' })
    await field.fill('How do I close the valve?')
    await field.press('Enter')
  }),
  screen('tutor-answers', async (page) => {
    await openTutored(page, answer)
    await ask(page, QUESTIONS)
  }),
  screen('tutor-limited', async (page) => {
    const problem = problemOf('rate_limited', 'Many questions came from your network. Please wait a minute.')
    await openTutored(page, (route) => route.fulfill({ ...problem, headers: { 'retry-after': '60' } }))
    await ask(page, QUESTIONS.slice(0, 1))
  }),
  screen('tutor-taken-back', async (page) => {
    const problem = problemOf('unauthenticated', 'Sign in to ask the tutor about this training.')
    await openTutored(page, (route) => route.fulfill(problem))
    await ask(page, QUESTIONS.slice(0, 1))
  }),
]

/** The dialog that keeps a training on the device, with what there is to choose. */
async function openKeep(page: Page, moduleId: string): Promise<void> {
  await page.goto(`/share/${moduleId}`)
  await page.getByRole('button', { name: 'Keep on this phone' }).click()
  await page.getByRole('radio', { name: /^With the video/ }).waitFor()
}

async function keep(page: Page, moduleId: string): Promise<void> {
  await openKeep(page, moduleId)
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.getByRole('button', { name: 'Done' }).waitFor()
}

async function openAtStep(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await stepsOf(page).nth(1).getByRole('button').first().click()
  await untilImage(page)
}
