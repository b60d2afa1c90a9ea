import type { Page } from '@playwright/test'
import { makeStep, makeVersionContent } from '#contract/testing/examples.ts'
import type { Recording } from '#contract/training/recording.ts'
import type { Version, VersionsAnswer } from '#contract/version.ts'
import { FAKE_ID, fakeModule } from '../fake-module.ts'
import { go, type Screen } from './screen.ts'

const VERSIONS_PATH = `/training/${FAKE_ID}/versions`
const LONG_NOTE =
  'The Druckausgleichsbehälteranschlussverschraubung has a new seal. Everyone at line 4 has to tighten it by 12 Nm.'

function makeVersion(number: number, change: Partial<Version> = {}): Version {
  const by = { publishedAt: '2026-11-20T10:00:00.000Z', isMine: true, title: 'Replace the filter', stepCount: 3 }
  return { number, hash: `${number}`.repeat(64), note: '', retraining: 'none', approval: null, ...by, ...change }
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

async function openVersions(
  page: Page,
  { published, versions }: Pick<VersionsAnswer, 'published' | 'versions'>,
): Promise<void> {
  await fakeModule(page, { publishedVersion: published })
  const answer = (path: string, json: object) =>
    page.route(`**/api/versions/${FAKE_ID}${path}`, (route) => route.fulfill({ json: { success: true, ...json } }))
  await answer('', { published, versions })
  await answer('/draft', { hash: '9'.repeat(64), content: DRAFT })
  for (const { number, hash } of versions) await answer(`/${number}`, { hash, content: BEFORE })
  await go(page, VERSIONS_PATH, 'Publish versions')
}

const SOME = {
  published: 2,
  versions: [makeVersion(2, { note: LONG_NOTE, retraining: 'changed', isMine: false }), makeVersion(1)],
}

const RECORDING: Recording = {
  moduleId: 'recording',
  filename: 'again.mp4',
  status: 'READY',
  progress: 100,
  failureCode: null,
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
  await fakeModule(page, {})
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
    name: 'training-version-read',
    who: 'person',
    open: async (page) => {
      await openVersions(page, SOME)
      await page.getByRole('button', { name: 'Read version 1' }).click()
      await page.getByRole('dialog').getByText('Open the housing').waitFor()
    },
  },
]
