import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CollectionAnswer, type ListedCollection } from '#contract/collection.ts'
import type { DebugModule } from '#contract/debug.ts'
import type { FeedbackStatsAnswer } from '#contract/feedback/feedback.ts'
import type { DigestAnswer, QuestionsAnswer } from '#contract/feedback/questions.ts'
import type { StepReportsAnswer } from '#contract/feedback/step-report.ts'
import type { LearningMetricsAnswer } from '#contract/learning.ts'
import type { Module, OpenedModule } from '#contract/module.ts'
import type { ScreenBlock } from '#contract/screen.ts'
import type { SearchAnswer } from '#contract/search.ts'
import { sharedPosterPath } from '#contract/share-page.ts'
import { makeModule, makeStep, NO_LEARNERS } from '#contract/testing/examples.ts'
import type { CaptionsAnswer } from '#contract/transcript.ts'
import type { LanguageStatus, TranslatedItem } from '#contract/translation.ts'
import { SEEDED_ADMIN, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import {
  FAKE_ID,
  FAKE_STEP,
  FAKE_VERSION,
  failSteps,
  fakeModule,
  fakeProposals,
  fakeScreen,
  fakeSteps,
  fakeTranscript,
  fakeVideoUrl,
  problemOf,
} from '../fake-module.ts'
import { FIXTURES } from '../media.ts'
import { makeLong, makeOdd } from '../odd-media.ts'
import { openOrganizations, signInByCall, tokenOf, workIn } from '../people.ts'
import { breakLanding, LANDING_CODE, replaceKey } from '../planted-failures.ts'
import { stepsOf } from '../training.ts'
import { MATRIX_SCREENS } from './matrix-screens.ts'
import { RECORD_SCREENS } from './record-screens.ts'
import { go, HEVC, type Screen } from './screen.ts'
import { CHAPTERED, SHARE_SCREENS } from './share-screens.ts'
import { TEAM_SCREENS } from './team-screens.ts'
import { TUTOR_SCREENS } from './tutor-screens.ts'
import { untilImage } from './until-image.ts'
import { VERSION_SCREENS } from './version-screens.ts'

const TRAINING = `/training/${FAKE_ID}`
const POLL_MS = 5_000

const COUNTS = { reached: 8, finished: 6, rewatched: 2, left: 1, questions: 3, reports: 1 }

/** Learners of the fake module, some of whom were offline, while its steps are counted again. */
const LEARNERS: LearningMetricsAnswer = {
  ...NO_LEARNERS,
  learners: 8,
  completed: 3,
  selfReported: 2,
  meanPercent: 61.5,
  curve: { pieceSeconds: 10, learners: [8, 8, 7, 6, 6, 5, 4, 4, 3] },
  steps: [{ stepId: FAKE_STEP.id, title: FAKE_STEP.title, start: 0, end: 20, ...COUNTS }],
  isCounting: true,
}

async function openProcessing(page: Page, waitTime: string): Promise<void> {
  await page.clock.install()
  await fakeModule(page, { status: 'PROCESSING', progress: 42, message: 'Listening to part 3 of 7', stepsVersion: 0 })
  await go(page, `${TRAINING}?processing=true`, '42%')
  await page.clock.fastForward(waitTime)
}

async function openWaiting(page: Page, message: string, waiting: { before: number; seconds: number }): Promise<void> {
  const work = { seconds: 400, fromProgress: 10, waiting }
  await fakeModule(page, { status: 'PROCESSING', progress: 30, message, stepsVersion: 0, work })
  await go(page, `${TRAINING}?processing=true`, message)
}

async function pickOdd(page: Page, path: string, text: string): Promise<void> {
  // Those that other screens leave behind are none of its own.
  await page.route(/\/api\/upload$/, (route) => route.fulfill({ json: { success: true, uploads: [] } }))
  await go(page, '/upload', 'Drag and drop a video')
  await page.getByLabel('Select video').setInputFiles(path)
  await page.getByText(text).first().waitFor()
}

async function fakeModules(page: Page, modules: readonly Module[] = []): Promise<void> {
  const list = { success: true, modules, nextCursor: null }
  await page.route(/\/api\/modules(\/processing)?(\?|$)/, (route) => route.fulfill({ json: list }))
}

interface Searched {
  titles: string[]
  /** Null where steps, speech and screens cannot be searched. */
  found: SearchAnswer['found'] | null
}

/** The dashboard with what a search has found, which takes a sweep after the sample is ready. */
async function openSearch(page: Page, search: string, { titles, found }: Searched): Promise<void> {
  await fakeModules(page, [makeModule({})])
  const modules = titles.map((title, at) => makeModule({ id: `found-${at}`, title }))
  const pageOfThem = { success: true, modules, nextCursor: null }
  await page.route(/\/api\/modules\?.*search=/, (route) => route.fulfill({ json: pageOfThem }))
  await page.route(/\/api\/modules\/search\?/, (route) =>
    found === null
      ? route.fulfill(problemOf('invalid_request', 'broken'))
      : route.fulfill({ json: { success: true, found } }),
  )
  await go(page, '/dashboard', 'Start Training')
  await page.getByRole('searchbox').fill(search)
  const shown =
    found === null ? 'Search again' : found.length === 0 ? 'No module matches' : 'In steps, speech and screens'
  await page.getByText(shown).first().waitFor()
}

const LONG_TITLES = [
  'A',
  'How to change the filter of the pump in the cellar of the old building, in case that the red light is on',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(3),
  `🔧🧑‍🔧 ${'🛠️'.repeat(60)}`,
]

const FOUND: SearchAnswer['found'] = ['Descale the coffee machine', ...LONG_TITLES.slice(1)].map((title, at) => ({
  module: makeModule({ id: `inside-${at}`, title }),
  hits: [
    {
      kind: 'step',
      step: null,
      text: {
        text: 'Fill the water tank',
        marks: [
          [9, 14],
          [15, 19],
        ],
      },
      start: 31,
    },
    {
      kind: 'said',
      step: 'Rinse',
      text: {
        text: 'Now take the tank out, and let the water run until it is clear…',
        marks: [
          [13, 17],
          [35, 40],
        ],
      },
      start: 95,
    },
    {
      kind: 'said',
      step: LONG_TITLES[2] ?? null,
      text: { text: `${'Wasser'.repeat(20)} tank`, marks: [] },
      start: 4000,
    },
  ].slice(0, 3 - (at % 3)) as SearchAnswer['found'][number]['hits'],
}))

/** Modules of all states whose titles are as long as people write them, and longer. */
const LONG_MODULES = LONG_TITLES.flatMap((title, at) => [
  makeModule({ id: `ready-${at}`, title }),
  makeModule({ id: `made-${at}`, title, status: 'PROCESSING', progress: 40, message: title }),
  makeModule({ id: `sent-${at}`, title, status: 'PROCESSING', hasVideo: false, uploadPercent: 40 }),
  makeModule({ id: `failed-${at}`, title, status: 'FAILED', lastError: title }),
])

async function fakeFeedback(page: Page): Promise<void> {
  const recentFeedback: FeedbackStatsAnswer['recentFeedback'] = LONG_TITLES.slice(1).map((title, at) => ({
    id: `feedback-${at}`,
    type: 'ai_improvement',
    action: null,
    timestamp: '2026-11-20T10:00:00.000Z',
    moduleId: `ready-${at}`,
    moduleTitle: title,
    message: title,
  }))
  const byType = { video_processing: 0, step_generation: 3, ai_suggestion: 1, transcription: 1 }
  const stats = { total: 5, positive: 4, partial: 1, negative: 0, byType, suggestions: 3 }
  await page.route('**/api/feedback/stats*', (route) =>
    route.fulfill({ json: { success: true, stats, recentFeedback } }),
  )
}

const USED_UP = { kind: 'ai', of: 'everyone', limit: 2, opensAt: '2026-11-21T00:00:00.000Z' }

/** How a debug row that has ended well looks. */
const DEBUG_ROW: Omit<DebugModule, 'id' | 'title'> = {
  userId: 'user_2ab3cd4ef5gh6ij7kl8mn9op0qr',
  status: 'READY',
  runStatus: 'READY',
  stepsCount: 7,
  questionsCount: 12,
  feedbacksCount: 3,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  progress: 100,
  message: 'Ready',
  lastError: null,
  isStuck: false,
  needsAttention: true,
  mayRetry: true,
  trainingUrl: TRAINING,
}

/** An operator's list with a module in each state. */
async function fakeDebugRows(page: Page): Promise<void> {
  const rows: Partial<DebugModule>[] = [
    { status: 'PROCESSING', runStatus: 'PROCESSING', isStuck: true, progress: 40, message: 'Listening' },
    { status: 'FAILED', runStatus: 'FAILED', lastError: 'No speech was found in this video.' },
    { runStatus: 'FAILED', lastError: 'The speech service has no quota left.' },
    { runStatus: 'PROCESSING', progress: 62, message: 'Writing steps', needsAttention: false },
    { status: 'orphaned', runStatus: 'PROCESSING', stepsCount: 0 },
  ]
  const modules = rows.map((row, at) => {
    const title = LONG_TITLES[at % LONG_TITLES.length] ?? ''
    return { ...DEBUG_ROW, ...row, title, id: `${FAKE_ID.slice(1)}${at}` }
  })
  await page.route(/\/api\/debug\/modules\/debug/, (route) =>
    route.fulfill({ json: { success: true, scope: 'all', modules } }),
  )
  const use = {
    day: '2026-11-20',
    transcribedMinutes: 12.5,
    writtenSections: 9,
    modelAnswers: 31,
    estimatedUsd: 0.0412,
  }
  const used = LONG_TITLES.map((title, at) => ({ ...use, moduleId: `m${at}`, title }))
  await page.route('**/api/debug/usage*', (route) =>
    route.fulfill({ json: { success: true, scope: 'all', totalUsd: 2.1648, rows: used, reached: USED_UP } }),
  )
}

const NOTE =
  'Learners often ask about the magenta gasket: it stays in. It is new only when it is torn, or older than a year.'

/** Steps with teaching notes of a model and of a person. */
const NOTED = [{}, { notesEdited: true }, { notesEdited: true, notesQuotable: true }].map((fields, at) => ({
  ...makeStep(`step-${at + 1}`, at * 20, { title: LONG_TITLES[at % 2 === 0 ? 1 : 0] ?? '', notes: NOTE }),
  ...fields,
}))

const QUESTION = {
  wordings: ['which way does the handle go'],
  ids: ['q1', 'q2', 'q3'],
  count: 3,
  people: 2,
  moments: [4, 11],
  answered: 2,
  notCovered: 1,
  askedTrainer: 2,
  isOfOneDevice: false,
  lastAskedAt: '2026-11-20T10:00:00.000Z',
}

/** Open questions at a step and about the whole video. */
const QUESTIONS: QuestionsAnswer = {
  success: true,
  places: [
    {
      kind: 'step',
      step: { id: FAKE_STEP.id, title: FAKE_STEP.title, number: 1, start: 0, end: 20 },
      groups: [
        { ...QUESTION, id: 'q1', text: 'Which way do I turn the handle, and how do I know that it is closed?' },
        { ...QUESTION, id: 'q4', ids: ['q4'], text: 'How tight?', count: 1, people: 1, wordings: [], notCovered: 1 },
      ],
    },
    {
      kind: 'video',
      step: null,
      groups: [{ ...QUESTION, id: 'q5', text: LONG_TITLES[1] ?? '', moments: [], wordings: [], notCovered: 0 }],
    },
  ],
  open: 7,
  grouped: 7,
  hiddenGroups: 0,
  answers: [true, false].map((isEarlier, at) => ({
    id: `a${at}`,
    question: 'How much does the insurance cost in winter?',
    text: `${LONG_TITLES[1]}\nIn winter it costs 90 euros a month.`,
    step: { id: FAKE_STEP.id, title: FAKE_STEP.title, start: 0 },
    start: 12,
    moment: 12,
    answeredAt: '2026-11-03T10:00:00.000Z',
    isEarlier,
    inPrint: true,
    translation: null,
  })),
}

/** What learners report: a danger, something unclear, and a step that is gone. */
const REPORTS: StepReportsAnswer['entries'] = (
  [
    [FAKE_STEP.id, 'dangerous', 'The cover is hot.'],
    [FAKE_STEP.id, 'unclear', LONG_TITLES[2]],
    [null, 'wrong', 'There is no such valve here.'],
  ] as const
).map(([stepId, kind, text = ''], at) => {
  const reports = [{ id: `r${at}`, text, hasPhoto: false, reportedAt: '2026-11-20T10:00:00.000Z' }]
  return { stepId, kind, count: at + 1, lastAt: 0, reports }
})

const DIGEST: DigestAnswer = {
  success: true,
  questions: [LONG_TITLES[1], LONG_TITLES[2], 'How tight?'].map((text = '', at) => {
    return { moduleId: FAKE_ID, title: LONG_TITLES[1 + (at % 2)] ?? '', text, people: 3 - at, isAnswered: at === 2 }
  }),
}

/** Trainings of others in all states, one of them with the thumbnail of a real module. */
async function fakeOpened(page: Page, moduleId: string): Promise<void> {
  const base = { openedAt: '2026-11-20T10:00:00.000Z', posterUrl: null, totalDuration: 200, completedAt: null }
  const modules: OpenedModule[] = [
    { title: 'Replace the filter of the pump', seenSeconds: 91, posterUrl: sharedPosterPath(moduleId) },
    { title: 'How the label printer is cleaned, loaded and calibrated after a change of the roll', seenSeconds: 0 },
    { title: 'Close the till at night', seenSeconds: 190, completedAt: '2026-11-20T10:00:00.000Z' },
    { title: 'Open the shop', seenSeconds: 40 },
  ].map((module, at) => ({ ...base, id: `opened-${at}`, trainingUrl: `/training/opened-${at}`, ...module }))
  const edited = modules.slice(1, 2)
  await page.route('**/api/opened-modules', (route) => route.fulfill({ json: { success: true, modules, edited } }))
}

const COLLECTION = { id: FAKE_ID, title: 'Filling machine, line 4', shared: true, shareUrl: '/c/1', mayDelete: true }

async function fakeCollections(page: Page, collections: readonly ListedCollection[]): Promise<void> {
  await page.route(/\/api\/collections$/, (route) => route.fulfill({ json: { success: true, collections } }))
}

const COLLECTION_ANSWER = `<p>${['Open the cover and take the old roll out.', 'Close it until it clicks.']
  .map((sentence) => `<bdi>${sentence}</bdi> <a href="#"><bdi>${LONG_TITLES[1]}</bdi> · 0:12</a>`)
  .join(' ')}</p>`

/** Makes a collection of the module that people with the link see. @returns its path */
async function makeCollection(page: Page, moduleId: string): Promise<string> {
  await go(page, '/dashboard', 'Start Training')
  const ask = { headers: { authorization: `Bearer ${await tokenOf(page)}` } }
  const made = await page.request.post('/api/collections', { ...ask, data: { title: COLLECTION.title } })
  const { collection } = CollectionAnswer.parse(await made.json())
  await page.request.patch(`/api/collections/${collection.id}`, { ...ask, data: { moduleIds: [moduleId] } })
  return collection.shareUrl
}

/** A collection of trainings in all states. */
async function openCollection(page: Page): Promise<void> {
  const modules = LONG_MODULES.slice(0, 6)
  const collection = { ...COLLECTION, modules }
  await page.route(`**/api/collections/${FAKE_ID}`, (route) => route.fulfill({ json: { success: true, collection } }))
  await go(page, `/collections/${FAKE_ID}`, COLLECTION.title)
}

const LANGUAGE: LanguageStatus = {
  tag: 'es',
  isOn: true,
  isChecked: true,
  usd: 0,
  total: 12,
  done: 11,
  keptBack: 1,
  changed: 1,
  isApproved: false,
  isInProgress: false,
  failure: null,
}
const LANGUAGES: readonly LanguageStatus[] = [
  LANGUAGE,
  { ...LANGUAGE, tag: 'de', done: 4, keptBack: 0, changed: 0, isInProgress: true },
  {
    ...LANGUAGE,
    tag: 'fr',
    done: 0,
    keptBack: 0,
    changed: 0,
    failure: { code: 'ai_quota', detail: 'The limit of the day is reached.' },
  },
  { ...LANGUAGE, tag: 'tr', isOn: false, isChecked: false, usd: 0.0123, done: 0, keptBack: 0, changed: 0 },
]

const ITEM: TranslatedItem = {
  item: 'title',
  source: ['Close the valve'],
  sourceHash: '1',
  texts: ['Cierre la válvula'],
  state: 'approved',
  complaints: [],
  isByPerson: true,
  earlier: null,
}
const SOURCE = ['Take the lid off', 'Wait 12 seconds, and do not touch the lid.']
const ITEMS: readonly TranslatedItem[] = [
  ITEM,
  { ...ITEM, item: 'step:1', source: SOURCE, texts: null, state: null, earlier: ['Quite la tapa', 'Espere.'] },
  {
    ...ITEM,
    item: 'step:2',
    source: SOURCE,
    texts: ['Quite la tapa', 'Espere 21 segundos y toque la tapa.'],
    state: 'kept_back',
    isByPerson: false,
    complaints: [{ kind: 'number', lost: ['12'], added: ['21'] }, { kind: 'not_lost' }],
  },
]

function showText(text: string, at: number): ScreenBlock {
  const box = { x: 0.1, y: 0.1, width: 0.3, height: 0.02 }
  return {
    text,
    startMs: at * 9_000,
    endMs: at * 9_000 + 4_000,
    box,
    kind: at === 0 ? 'command' : 'label',
    confidence: 1,
  }
}

/** The share dialog with the languages of the training below all else. */
async function openLanguages(page: Page): Promise<void> {
  await fakeModules(page, [makeModule({ id: FAKE_ID, title: LONG_TITLES[1] ?? '' })])
  const json = { success: true, original: 'en', engine: 'Apertium', languages: LANGUAGES, whyNone: null }
  await page.route(`**/api/modules/${FAKE_ID}/languages`, (route) => route.fulfill({ json }))
  await page.route(`**/api/modules/${FAKE_ID}/translations/es`, (route) =>
    route.fulfill({ json: { success: true, items: ITEMS } }),
  )
  await go(page, '/dashboard', 'Start Training')
  await page.getByRole('button', { name: /^Share:/ }).click()
  await page.getByRole('button', { name: 'Languages' }).click()
  await page.getByRole('switch', { name: 'Türkçe' }).scrollIntoViewIfNeeded()
}

export const SCREENS: readonly Screen[] = [
  { name: 'landing', who: 'stranger', open: (page) => go(page, '/', 'Start Free Trial') },
  { name: 'landing-signed-in', who: 'person', open: (page) => go(page, '/', 'Upload Video') },
  { name: 'sign-in', who: 'stranger', open: (page) => go(page, '/sign-in', 'Welcome Back') },
  { name: 'sign-up', who: 'stranger', open: (page) => go(page, '/sign-up', 'Create your account') },
  { name: 'test-spinner', who: 'stranger', open: (page) => go(page, '/test-spinner', 'Loading') },
  { name: 'upload-stranger', who: 'stranger', open: (page) => go(page, '/upload', 'Sign In to Upload') },
  { name: 'upload', who: 'person', open: (page) => go(page, '/upload', 'Drag and drop a video') },
  {
    name: 'upload-refused',
    who: 'person',
    open: async (page) => {
      await go(page, '/upload', 'Drag and drop a video')
      const notes = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('hello') }
      await page.getByLabel('Select video').setInputFiles([notes])
      await page.getByText('Only video files are allowed').first().waitFor()
    },
  },
  {
    name: 'upload-captions',
    who: 'person',
    open: async (page) => {
      const report: Partial<CaptionsAnswer> = {
        success: true,
        cues: 212,
        encoding: 'windows-1251',
        firstLines: ['Сначала откройте крышку фильтра.', 'Затем выньте фильтр и промойте его водой.'],
        repairs: Array.from({ length: 40 }, (_, at) => ({
          line: 4 * at + 2,
          code: at % 3 === 0 ? 'end_guessed' : 'odd_time',
        })),
        repairCount: 3_400,
        shift: { reason: 'after_end', first: -36_000, last: -36_000, isMoved: true },
        doubt: { code: 'longer', captionsSeconds: 3_120, videoSeconds: 480 },
      }
      await page.route(/\/api\/captions$/, (route) => route.fulfill({ json: report }))
      await go(page, '/upload', 'Drag and drop a video')
      const file = { name: 'talk.srt', mimeType: 'application/x-subrip', buffer: Buffer.from('1') }
      await page.getByLabel('Add captions').setInputFiles([file])
      await page.getByRole('button', { name: 'Use captions' }).waitFor()
    },
  },
  {
    name: 'upload-foreign',
    who: 'person',
    open: (page) => pickOdd(page, makeOdd('old.avi'), 'Adapt cannot read AVI files'),
  },
  {
    name: 'upload-hevc',
    who: 'person',
    open: (page) => pickOdd(page, makeOdd('phone.mp4'), 'it is in HEVC (H.265)'),
  },
  {
    name: 'upload-no-picture',
    who: 'person',
    open: (page) => pickOdd(page, makeOdd('podcast.mp4'), 'This file has no picture'),
  },
  {
    name: 'upload-silent',
    who: 'person',
    open: (page) => pickOdd(page, join(FIXTURES, 'silent-track.mp4'), 'This video has no audio'),
  },
  {
    name: 'upload-convertible',
    who: 'person',
    open: (page) => pickOdd(page, makeOdd('new.mkv'), 'it is in AV1'),
  },
  {
    name: 'upload-converting',
    who: 'person',
    open: async (page) => {
      await pickOdd(page, makeLong('new.mkv'), 'it is in AV1')
      await page.getByRole('button', { name: 'Convert and upload' }).click()
      await page
        .getByText(/Converting [1-9]/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'training-unseen',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { videoCodec: HEVC })
      await go(page, TRAINING, 'Your browser cannot show this video')
    },
  },
  {
    name: 'share-dialog',
    who: 'person',
    open: async (page) => {
      await go(page, '/dashboard', 'Start Training')
      // Other screens leave an upload behind, which is newer than the sample.
      await page
        .getByRole('button', { name: /^Share:/ })
        .last()
        .click()
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    },
  },
  {
    name: 'share-dialog-tutor',
    who: 'person',
    open: async (page) => {
      await fakeModules(page, [makeModule({ title: LONG_TITLES[1], linkAnswersPerDay: 20 })])
      await go(page, '/dashboard', 'Start Training')
      await page.getByRole('button', { name: /^Share:/ }).click()
      await page.getByRole('spinbutton').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'share-dialog-secrets',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await fakeSteps(page, [{ ...FAKE_STEP, image: 'step-0' }])
      const visible = { startMs: 4_000, endMs: 12_000 }
      await fakeScreen(page, {
        secrets: [
          { ...visible, kind: 'key' },
          { ...visible, kind: 'email' },
        ],
      })
      await go(page, TRAINING, 'Close the valve')
      await page.getByRole('button', { name: /^Share:/ }).click()
      await page.getByRole('link', { name: /looks like a key/ }).waitFor()
    },
  },
  {
    name: 'share-dialog-link',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { shared: true, hasLinkPassword: true, linkEndsAt: '2099-12-01T10:00:00.000Z' })
      await go(page, TRAINING, 'Close the valve')
      await page.getByRole('button', { name: /^Share:/ }).click()
      await page.getByRole('button', { name: 'Password, end date, new link' }).click()
      await page.getByLabel('Password', { exact: true }).scrollIntoViewIfNeeded()
    },
    isWindow: true,
  },
  {
    name: 'training-repaired-lines',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      const repaired = 'Close the valve, then open LibreOffice and Nautilus, and look for the number of the pump.'
      const heard = repaired.replace('LibreOffice', 'leave office').replace('Nautilus', 'nautilis')
      const line = { id: 'l0', start: 0, end: 8, text: repaired, confidence: 0.9, isEdited: false, beforeScreen: heard }
      const next = { ...line, id: 'l1', start: 8, end: 12, text: 'That is all.', beforeScreen: undefined }
      await fakeTranscript(page, [], { segments: [line, next] })
      await go(page, TRAINING, 'Close the valve')
      await page.getByRole('button', { name: /has repaired this line/ }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'training-screen-text',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { organization: 'active' })
      const texts = ['man -k directory', LONG_TITLES[1] ?? '', 'Applications']
      await fakeScreen(page, { blocks: texts.map(showText) }, { readsScreen: true, mayChange: true })
      await go(page, `${TRAINING}/settings`, 'Text on the screen')
      await page.getByRole('button', { name: 'Show the text' }).click()
      await page.getByRole('button', { name: 'Hide: Applications' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'share-dialog-off',
    who: 'person',
    open: async (page) => {
      await fakeModules(page, [makeModule({ shared: false })])
      await go(page, '/dashboard', 'Start Training')
      await page.getByRole('button', { name: /^Share:/ }).click()
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    },
  },
  { name: 'share-dialog-languages', who: 'person', open: openLanguages },
  {
    name: 'share-dialog-translation',
    who: 'person',
    open: async (page) => {
      await openLanguages(page)
      await page.getByRole('button', { name: 'Review Español' }).click()
      await page.getByRole('group').last().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'collections',
    who: 'person',
    open: async (page) => {
      await fakeCollections(
        page,
        LONG_TITLES.map((title, at) => ({ ...COLLECTION, id: `c${at}`, title, shared: at !== 1, moduleCount: at })),
      )
      await go(page, '/collections', 'A')
    },
  },
  {
    name: 'collections-empty',
    who: 'person',
    open: async (page) => {
      await fakeCollections(page, [])
      await go(page, '/collections', 'No collections yet')
    },
  },
  { name: 'collection', who: 'person', open: openCollection },
  {
    name: 'collection-learner',
    who: 'person',
    open: async (page, moduleId) => go(page, await makeCollection(page, moduleId), COLLECTION.title),
  },
  {
    name: 'collection-answer',
    who: 'person',
    open: async (page, moduleId) => {
      const path = await makeCollection(page, moduleId)
      await page.route(`**${path}`, async (route) => {
        const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text()
        const asks = 'data-ask="/api/collection-answer" data-writing="" data-found='
        const body = html.replace('data-found=', asks).replace('<p id="says"', '<div id="answer"></div><p id="says"')
        await route.fulfill({ contentType: 'text/html', body })
      })
      await page.route('**/api/collection-answer', (route) => route.fulfill({ json: { html: COLLECTION_ANSWER } }))
      await go(page, path, COLLECTION.title)
      await page.getByRole('searchbox').fill('roll')
      await page.getByRole('searchbox').press('Enter')
      await page.locator('#found a').first().waitFor()
      await page.locator('#answer a').first().waitFor()
    },
  },
  {
    name: 'collection-share',
    who: 'person',
    open: async (page) => {
      await openCollection(page)
      await page.getByRole('button', { name: 'Share', exact: true }).click()
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    },
  },
  {
    name: 'dashboard-opened',
    who: 'person',
    open: async (page, moduleId) => {
      await fakeOpened(page, moduleId)
      await go(page, '/dashboard', 'Start Training')
    },
  },
  {
    name: 'dashboard-learner',
    who: 'person',
    open: async (page, moduleId) => {
      await fakeOpened(page, moduleId)
      await fakeModules(page)
      await go(page, '/dashboard', 'You have no modules of your own')
    },
  },
  {
    name: 'dashboard-made-again-failed',
    who: 'person',
    open: async (page) => {
      const lastError = 'The speech service has no quota left. Raise it there, then process again.'
      const newVersion = { ...FAKE_VERSION, status: 'FAILED', lastError, failureCode: 'ai_quota' } as const
      await fakeModules(page, [makeModule({ title: 'Replace the filter of the pump', newVersion })])
      await go(page, '/dashboard', 'The new version could not be made')
    },
  },
  { name: 'dashboard', who: 'person', open: (page) => go(page, '/dashboard', 'Start Training') },
  {
    name: 'dashboard-questions',
    who: 'person',
    open: async (page) => {
      await page.route(/\/api\/questions$/, (route) => route.fulfill({ json: DIGEST }))
      await go(page, '/dashboard', 'How tight?')
    },
  },
  {
    name: 'dashboard-found',
    who: 'person',
    open: (page) => openSearch(page, 'water tank', { titles: ['Fill the water tank'], found: FOUND }),
  },
  {
    name: 'dashboard-found-inside',
    who: 'person',
    open: (page) => openSearch(page, 'water tank', { titles: [], found: FOUND }),
  },
  {
    name: 'dashboard-found-failed',
    who: 'person',
    open: (page) => openSearch(page, 'water tank', { titles: ['Fill the water tank'], found: null }),
  },
  {
    name: 'dashboard-found-nothing',
    who: 'person',
    open: (page) => openSearch(page, 'w'.repeat(200), { titles: [], found: [] }),
  },
  {
    name: 'dashboard-long-titles',
    who: 'person',
    open: async (page) => {
      await fakeModules(page, LONG_MODULES)
      await fakeFeedback(page)
      await go(page, '/dashboard', 'Start Training')
    },
  },
  {
    name: 'dashboard-list',
    who: 'person',
    open: async (page) => {
      await fakeModules(page, LONG_MODULES)
      await go(page, '/dashboard', 'Start Training')
      await page.getByRole('button', { name: 'List', exact: true }).click()
    },
  },
  {
    name: 'dashboard-thousand',
    who: 'person',
    isWindow: true,
    open: async (page) => {
      const modules = Array.from({ length: 1_000 }, (_, at) => makeModule({ id: `m${at}`, title: `Machine ${at + 1}` }))
      await fakeModules(page, modules)
      await go(page, '/dashboard', 'Machine 1')
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
    },
  },
  {
    name: 'dashboard-empty',
    who: 'person',
    open: async (page) => {
      await fakeModules(page)
      await go(page, '/dashboard', 'Try it with a sample')
    },
  },
  {
    name: 'account-menu',
    who: 'person',
    open: async (page) => {
      await go(page, '/dashboard', 'Start Training')
      await page.getByRole('button', { name: 'Open user menu' }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
    },
  },
  {
    name: 'account-organizations',
    who: 'stranger',
    open: async (page) => {
      await signInByCall(page.request, { email: SEEDED_ADMIN.email, password: SEEDED_PASSWORD })
      await page.goto('/dashboard')
      await workIn(page, SEEDED_ORGANIZATION.name)
      await openOrganizations(page)
    },
  },
  {
    name: 'account-profile',
    who: 'person',
    open: async (page) => {
      await go(page, '/dashboard', 'Start Training')
      await page.getByRole('button', { name: 'Open user menu' }).click()
      await page.getByRole('button', { name: 'Manage account' }).click()
      await page.getByText('Profile details').first().waitFor()
    },
  },
  {
    name: 'debug',
    who: 'person',
    open: async (page) => {
      await go(page, '/debug', 'Debug Dashboard')
      await page
        .getByRole('button', { name: /^Timeline/ })
        .first()
        .click()
      await page.getByText('Run 1').waitFor()
    },
  },
  {
    name: 'debug-operator',
    who: 'person',
    open: async (page) => {
      await fakeDebugRows(page)
      await go(page, '/debug', 'All modules')
    },
  },
  {
    name: 'menu',
    who: 'stranger',
    open: async (page) => {
      await go(page, '/', 'Start Free Trial')
      const toggle = page.getByRole('button', { name: 'Open menu' })
      if (await toggle.isVisible()) await toggle.click()
    },
  },
  {
    name: 'training',
    who: 'person',
    open: async (page, moduleId) => {
      await page.goto(`/training/${moduleId}`)
      await stepsOf(page).nth(1).getByRole('button').first().click()
      await untilImage(page)
    },
  },
  ...['questions', 'feedback', 'settings'].map((section) => ({
    name: `training-${section}`,
    who: 'person' as const,
    open: async (page: Page, moduleId: string) => {
      await page.goto(`/training/${moduleId}/${section}`)
      await untilImage(page)
    },
  })),
  {
    name: 'training-step-editor',
    who: 'person',
    open: async (page, moduleId) => {
      await page.goto(`/training/${moduleId}`)
      await page.getByRole('button', { name: /^Edit step 2:/ }).click()
      await untilImage(page)
    },
  },
  {
    name: 'training-chapters',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { totalDuration: 2_400 })
      await fakeSteps(page, CHAPTERED)
      await go(page, TRAINING, 'Before you begin')
      await page.getByRole('button', { name: /^Rename chapter: Take/ }).click()
    },
  },
  {
    name: 'training-viewer',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { role: 'viewer' })
      await go(page, TRAINING, 'What could be better in this training?')
    },
  },
  {
    name: 'training-notes',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await fakeSteps(page, NOTED)
      await page.goto(TRAINING)
      await page.getByText('Teaching note', { exact: true }).last().click()
    },
  },
  {
    name: 'training-take-over',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { userId: 'a-colleague' })
      await page.goto(TRAINING)
      await page.getByRole('button', { name: 'More for this module' }).click()
      await page.getByRole('menuitem', { name: 'Take over' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'training-open-questions',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await page.route(`**/api/questions/${FAKE_ID}`, (route) => route.fulfill({ json: QUESTIONS }))
      await go(page, `${TRAINING}/questions`, 'How tight?')
      await page.getByRole('button', { name: 'Answer: How tight?' }).click()
    },
  },
  {
    name: 'training-reports',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      const json = { success: true, entries: REPORTS, hidden: 2 } satisfies StepReportsAnswer
      await page.route(`**/api/step-reports/${FAKE_ID}`, (route) => route.fulfill({ json }))
      await go(page, TRAINING, 'The cover is hot')
    },
  },
  {
    name: 'training-learners',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await page.route(`**/api/learning-metrics/${FAKE_ID}`, (route) => route.fulfill({ json: LEARNERS }))
      await page.goto(`${TRAINING}/learners`)
    },
  },
  ...TUTOR_SCREENS,
  ...VERSION_SCREENS,
  ...MATRIX_SCREENS,
  ...TEAM_SCREENS,
  ...RECORD_SCREENS,
  { name: 'training-missing', who: 'person', open: (page) => go(page, '/training/nothing', 'Module Not Found') },
  { name: 'training-processing', who: 'person', open: (page) => openProcessing(page, '00:05') },
  { name: 'training-slow', who: 'person', open: (page) => openProcessing(page, '01:35') },
  {
    name: 'training-turn',
    who: 'person',
    open: (page) => openWaiting(page, 'Waiting for its turn', { before: 4, seconds: 170 }),
  },
  {
    name: 'training-busy',
    who: 'person',
    open: (page) => openWaiting(page, 'Waiting for its turn: the speech service is busy', { before: 0, seconds: 45 }),
  },
  { name: 'training-overdue', who: 'person', open: (page) => openProcessing(page, '05:05') },
  {
    name: 'training-failed',
    who: 'person',
    open: async (page) => {
      const lastError =
        'This video has no narration that could be understood. Add captions, or write the steps yourself.'
      await fakeModule(page, { status: 'FAILED', lastError, failureCode: 'no_narration' })
      await go(page, TRAINING, 'Processing Failed')
    },
  },
  {
    name: 'training-failed-viewer',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { status: 'FAILED', lastError: null, failureCode: null, role: 'viewer' })
      await go(page, TRAINING, 'Processing Failed')
    },
  },
  {
    name: 'training-naming',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { status: 'FAILED', lastError: 'There is no speech.', failureCode: 'unnamed' })
      await fakeProposals(
        page,
        [0, 20, 52].map((start) => ({ ...makeStep(`scene-${start}`, start, { title: '' }), replaces: [] })),
      )
      await go(page, TRAINING, 'Name the steps')
    },
  },
  {
    name: 'training-naming-titled',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { status: 'FAILED', lastError: 'There is no speech.', failureCode: 'unnamed' })
      const scenes = [0, 20, 52].map((start) => makeStep(`scene-${start}`, start, { title: '' }))
      const titles = ['Page setup', LONG_TITLES[1]?.slice(0, 60) ?? '', 'Export as PDF']
      await fakeProposals(
        page,
        scenes.map((scene, at) => ({ ...scene, replaces: [], suggestedTitle: titles[at] ?? '' })),
      )
      await go(page, TRAINING, 'Take all')
    },
  },
  {
    name: 'training-made-again',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { newVersion: FAKE_VERSION })
      await go(page, TRAINING, 'A new version is being made')
    },
  },
  {
    name: 'training-rough',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await fakeTranscript(page, ['Clothes the main valve.', 'Ten turn the cover two the left.'], { isRough: true })
      await go(page, TRAINING, 'This transcript is rough')
    },
  },
  {
    name: 'training-cuts',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await fakeTranscript(page, ['Now close the.', 'Now close the main valve.', 'Then turn the cover to the left.'])
      await page.goto(TRAINING)
      await page.getByRole('button', { name: 'Take a look' }).click()
      await page.getByRole('checkbox', { name: /^False start/ }).waitFor()
    },
  },
  {
    name: 'training-without-speech',
    who: 'person',
    open: async (page) => {
      const withoutSpeech = [
        { start: 8, end: 40 },
        { start: 61, end: 90 },
      ]
      await fakeModule(page)
      await fakeTranscript(page, ['Close the main valve.', 'Then turn the cover to the left.'], { withoutSpeech })
      await go(page, TRAINING, 'Parts without understandable speech')
    },
  },
  {
    name: 'training-rough-viewer',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, { role: 'viewer' })
      await fakeTranscript(page, ['Clothes the main valve.', 'Ten turn the cover two the left.'], { isRough: true })
      await go(page, TRAINING, 'some words may be wrong')
    },
  },
  {
    name: 'training-made-again-failed',
    who: 'person',
    open: async (page) => {
      const lastError = 'The speech service has no quota left. Raise it there, then process again.'
      await fakeModule(page, { newVersion: { ...FAKE_VERSION, status: 'FAILED', lastError, failureCode: 'ai_quota' } })
      await go(page, TRAINING, 'The new version could not be made')
    },
  },
  {
    name: 'training-made-again-unheard',
    who: 'person',
    open: async (page) => {
      const lastError = 'No speech was found in this video. Add captions, or write the steps yourself.'
      const newVersion = { ...FAKE_VERSION, status: 'FAILED', lastError, failureCode: 'no_narration' } as const
      await fakeModule(page, { newVersion })
      await go(page, TRAINING, 'The new version could not be made')
    },
  },
  {
    name: 'training-rewritten-step',
    who: 'person',
    open: async (page) => {
      const aiRewrite = FAKE_STEP.description
      const originalText = 'So now, um, you close the valve, all the way, until you feel that it stops.'
      await fakeModule(page)
      await fakeSteps(page, [{ ...FAKE_STEP, originalText, aiRewrite, beforeRewrite: 'Um, turn it until it stops.' }])
      await page.goto(`${TRAINING}#step-1`)
      await page.getByText('What is said in this step').click()
    },
  },
  {
    name: 'training-remake',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await page.goto(TRAINING)
      await page.getByRole('button', { name: 'More for this module' }).click()
      await page.getByRole('menuitem', { name: 'Reprocess' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'training-proposals',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await fakeProposals(page, [
        { ...FAKE_STEP, id: 'r2-1', title: 'Close the main valve', replaces: [FAKE_STEP.id] },
        { ...FAKE_STEP, id: 'r2-2', title: 'Take the filter out', start: 20, end: 40, replaces: [] },
      ])
      await go(page, TRAINING, 'Proposed changes')
    },
  },
  {
    name: 'training-without-video',
    who: 'person',
    open: async (page) => {
      await page.clock.install()
      await fakeModule(page)
      await fakeVideoUrl(page, null)
      await page.goto(TRAINING)
      await page.clock.runFor(4 * POLL_MS)
      await page.getByText('Video Unavailable').waitFor()
    },
  },
  {
    name: 'training-steps-failed',
    who: 'person',
    open: async (page) => {
      await page.clock.install()
      await fakeModule(page)
      await failSteps(page, (route) => route.fulfill({ status: 503, body: 'Overloaded' }))
      await page.goto(TRAINING)
      await page.clock.runFor(4 * POLL_MS)
      await page.getByText('Failed to load steps').waitFor()
    },
  },
  {
    name: 'training-no-steps',
    who: 'person',
    open: async (page) => {
      await fakeModule(page)
      await fakeSteps(page, [])
      await go(page, TRAINING, 'No steps found')
    },
  },
  ...SHARE_SCREENS,
  {
    name: 'error-application',
    who: 'stranger',
    open: async (page) => {
      await breakLanding(page, { name: 'TypeError', message: 'x is undefined' })
      await go(page, '/', 'Something went wrong')
    },
  },
  {
    name: 'error-network',
    who: 'stranger',
    open: async (page) => {
      await breakLanding(page, { name: 'TypeError', message: 'Failed to fetch' })
      await go(page, '/', 'Connection Problem')
      await page.getByRole('button', { name: 'Try Again' }).click()
    },
  },
  {
    name: 'error-router',
    who: 'stranger',
    open: async (page) => {
      await page.route(LANDING_CODE, (route) => route.abort())
      await go(page, '/', 'Unexpected Application Error!')
    },
  },
  {
    name: 'error-configuration',
    who: 'stranger',
    open: async (page) => {
      await replaceKey(page, '')
      await go(page, '/', 'Configuration Error')
    },
  },
]
