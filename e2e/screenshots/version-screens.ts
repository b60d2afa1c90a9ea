import type { Page } from '@playwright/test'
import type { ReviewThread } from '#contract/review.ts'
import { makeStep, makeVersionContent } from '#contract/testing/examples.ts'
import type { Invitation } from '#contract/training/invitation.ts'
import type { Recording } from '#contract/training/recording.ts'
import type { Review, Version, VersionsAnswer } from '#contract/version.ts'
import { FAKE_ID, fakeModule } from '../fake-module.ts'
import { go, type Screen } from './screen.ts'

const VERSIONS_PATH = `/training/${FAKE_ID}/versions`
const LONG_NOTE =
  'The Druckausgleichsbehälteranschlussverschraubung has a new seal. Everyone at line 4 has to tighten it by 12 Nm.'

function makeVersion(number: number, change: Partial<Version> = {}): Version {
  const by = { publishedAt: '2026-11-20T10:00:00.000Z', isMine: true, title: 'Replace the filter', stepCount: 3 }
  const said = { note: '', retraining: 'none' as const, approval: null, checks: [] }
  return { number, hash: `${number}`.repeat(64), ...said, ...by, ...change }
}

const STEPS = ['Close the valve', 'Open the housing', 'Take the filter out'].map((title, index) =>
  makeStep(`step-${index}`, index * 20, { title }),
)
const BEFORE = makeVersionContent(STEPS)
const DRAFT = makeVersionContent([
  { ...makeStep('step-0', 0, { title: 'Close the red valve' }), callouts: [{ kind: 'warning', text: 'It is hot.' }] },
  makeStep('step-2', 40, { title: 'Take the filter out' }),
  makeStep('step-3', 60, { title: 'Clean the housing' }),
])

const LONG_NAME = 'Maximiliane Wolfeschlegelsteinhausenbergerdorff-Subramaniam'

const THREADS: ReviewThread[] = [
  {
    stepId: 'step-0',
    isResolved: false,
    comments: [
      {
        id: 'c1',
        name: LONG_NAME,
        text: 'Which one is red? I see two.',
        saidAt: '2026-11-21T10:00:00.000Z',
        isMine: true,
      },
      { id: 'c2', name: 'Kim Lee', text: 'The left one.', saidAt: '2026-11-22T10:00:00.000Z', isMine: false },
    ],
  },
  {
    stepId: 'step-2',
    isResolved: true,
    comments: [{ id: 'c3', name: '', text: LONG_NOTE, saidAt: '2026-11-21T10:00:00.000Z', isMine: false }],
  },
]

const REVIEW: Review = {
  draft: '9'.repeat(64),
  note: LONG_NOTE,
  retraining: 'changed',
  name: LONG_NAME,
  askedAt: '2026-11-21T10:00:00.000Z',
  isMine: false,
  sentBack: null,
}

const INVITATION = '/invitation#0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
const INVITATIONS: Invitation[] = [
  { name: 'Kim Lee', accepted: null, expiresAt: '2099-12-01T10:00:00.000Z' },
  { name: LONG_NAME, accepted: { name: 'wolfe@example.com', acceptedAt: '2026-11-21T10:00:00.000Z' } },
  { name: 'Ana Cruz', accepted: null },
].map((invitation, index) => ({ id: `i${index}`, expiresAt: '2026-11-20T10:00:00.000Z', ...invitation }))

type Shown = Partial<VersionsAnswer> & Pick<VersionsAnswer, 'published' | 'versions'>

async function openVersions(page: Page, shown: Shown): Promise<void> {
  const { published, versions } = shown
  await fakeModule(page, { publishedVersion: published, organization: 'active' })
  const answer = (path: string, json: object) =>
    page.route(`**/api/versions/${FAKE_ID}${path}`, (route) => route.fulfill({ json: { success: true, ...json } }))
  await answer('', shown)
  await answer('/draft/comments', { threads: THREADS })
  const rules = { publishers: shown.publishers ?? 'anyone', publishesVersions: false, mayChange: true }
  await page.route('**/api/account/publishers', (route) => route.fulfill({ json: { success: true, ...rules } }))
  await answer('/draft', { hash: '9'.repeat(64), content: DRAFT })
  for (const { number, hash } of versions) {
    await answer(`/${number}`, { hash, content: BEFORE })
    await answer(`/${number}/comments`, { threads: THREADS })
  }
  await go(page, VERSIONS_PATH, 'Publish versions')
}

const SOME = {
  published: 2,
  versions: [makeVersion(2, { note: LONG_NOTE, retraining: 'changed', isMine: false }), makeVersion(1)],
}

/** By the rules of an organization. */
const REVIEWED: Shown = {
  published: 2,
  versions: [
    makeVersion(2, {
      approval: { name: LONG_NAME, meaning: 'responsible', words: LONG_NOTE },
      checks: [{ name: LONG_NAME, checkedAt: '2026-11-21T10:00:00.000Z' }],
      retraining: 'all',
    }),
    makeVersion(1),
  ],
  publishers: 'four_eyes',
  mayPublish: true,
  review: REVIEW,
  reviewMonths: 12,
  reviewDueAt: '2026-11-03T10:00:00.000Z',
}

const RECORDING: Recording = {
  moduleId: 'recording',
  filename: 'again.mp4',
  status: 'READY',
  progress: 100,
  failureCode: null,
  isSilent: false,
  mayTake: true,
  mayDrop: true,
  durationS: 180,
  version: 3,
  steps: [
    { id: 'a', title: 'Close the valve', proposed: { start: 12, end: 31, confidence: 0.9 } },
    {
      id: 'b',
      title: 'Loosen the Druckausgleichsbehälteranschlussverschraubung by a quarter of a turn',
      proposed: { start: 64, end: 90, confidence: 0.4 },
    },
    { id: 'c', title: 'Take the filter out', proposed: { start: 31, end: 64, confidence: 0.8 } },
    { id: 'd', title: 'Call the shift leader', proposed: null },
  ],
  added: [{ start: 2, end: 12, text: 'From now on we wear gloves before we touch anything.' }],
}

async function openRecording(page: Page, recording: Recording | null): Promise<void> {
  const steps = [makeStep('a', 12, { image: 'step-12000' })]
  await fakeModule(page, { steps, posterUrl: `/api/modules/${FAKE_ID}/images/poster` })
  await page.route(`**/api/recordings/${FAKE_ID}`, (route) => route.fulfill({ json: { success: true, recording } }))
  await go(page, `/training/${FAKE_ID}/recording`, 'Replace the video')
}

/** The published versions of a training, and a new recording of it. */
export const VERSION_SCREENS: readonly Screen[] = [
  { name: 'training-recording-none', who: 'person', open: (page) => openRecording(page, null) },
  {
    name: 'training-recording',
    who: 'person',
    open: async (page) => {
      await openRecording(page, RECORDING)
      await page.getByText('Call the shift leader').waitFor()
      await page.getByRole('button', { name: 'Change times: Call the shift leader' }).click()
    },
  },
  {
    name: 'training-recording-silent',
    who: 'person',
    open: async (page) => {
      const steps = RECORDING.steps.map((step) => ({ ...step, proposed: null }))
      await openRecording(page, { ...RECORDING, isSilent: true, steps, added: [] })
      await page.getByRole('button', { name: 'Find the steps by their images' }).waitFor()
    },
  },
  {
    name: 'training-invited-people',
    who: 'person',
    open: async (page) => {
      await fakeModule(page, {})
      const answer = { success: true, invitations: INVITATIONS }
      await page.route(`**/api/invitations/${FAKE_ID}`, (route) =>
        route.fulfill({ json: route.request().method() === 'GET' ? answer : { ...answer, path: INVITATION } }),
      )
      await go(page, `/training/${FAKE_ID}`, 'Replace the filter of the pump')
      await page.getByRole('button', { name: /^Share: / }).click()
      await page.getByRole('button', { name: 'Invited people' }).click()
      await page.getByRole('textbox', { name: 'Name of the person' }).fill('Kim Lee')
      await page.getByRole('button', { name: 'Make an invitation link' }).click()
      await page.getByRole('textbox', { name: 'Invitation link for Kim Lee' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'invitation', who: 'person', open: (page) => go(page, INVITATION, 'You are invited to edit a training') },
  { name: 'invitation-ended', who: 'person', open: (page) => go(page, '/invitation', 'This invitation does not work') },
  {
    name: 'training-editor',
    who: 'person',
    open: async (page) => {
      const others = { userId: null, organization: null, mayDelete: false, shared: false }
      await fakeModule(page, { role: 'editor', publishedVersion: 2, ...others })
      await go(page, `/training/${FAKE_ID}`, 'Close the valve')
    },
  },
  {
    name: 'training-versions-off',
    who: 'person',
    open: (page) => openVersions(page, { published: null, versions: [] }),
  },
  {
    name: 'training-versions',
    who: 'person',
    open: async (page) => {
      await openVersions(page, SOME)
      await page.getByText('Clean the housing').waitFor()
    },
  },
  {
    name: 'training-publish',
    who: 'person',
    open: async (page) => {
      await openVersions(page, SOME)
      await page.getByRole('button', { name: 'Publish the draft…' }).click()
      await page.getByRole('dialog').getByText('Clean the housing').waitFor()
    },
  },
  {
    name: 'training-first-version',
    who: 'person',
    open: async (page) => {
      await openVersions(page, { published: 0, versions: [] })
      await page.getByRole('button', { name: 'Publish the draft…' }).click()
      await page.getByRole('dialog').getByText('Clean the housing').waitFor()
    },
  },
  {
    name: 'training-review-asked',
    who: 'person',
    open: (page) => openVersions(page, REVIEWED),
  },
  {
    name: 'training-review-sent-back',
    who: 'person',
    open: (page) => {
      const sentBack = { name: LONG_NAME, reason: LONG_NOTE, sentBackAt: '2026-11-22T10:00:00.000Z' }
      return openVersions(page, { ...REVIEWED, mayPublish: false, review: { ...REVIEW, isMine: true, sentBack } })
    },
  },
  {
    name: 'training-review',
    who: 'person',
    open: async (page) => {
      await openVersions(page, REVIEWED)
      await page.getByRole('button', { name: 'Review…' }).click()
      await page.getByRole('dialog').getByText('The left one.').waitFor()
      await page.getByRole('button', { name: 'Comment on “Close the red valve”' }).click()
    },
  },
  {
    name: 'training-still-right',
    who: 'person',
    open: async (page) => {
      await openVersions(page, REVIEWED)
      await page.getByRole('button', { name: 'Reviewed, still right…' }).click()
      await page.getByRole('dialog').getByText('Your name', { exact: true }).waitFor()
    },
  },
  {
    name: 'training-version-read',
    who: 'person',
    open: async (page) => {
      await openVersions(page, SOME)
      await page.getByRole('button', { name: 'Read version 1' }).click()
      await page.getByRole('dialog').getByText('Open the housing').waitFor()
    },
  },
]
