import type { Page } from '@playwright/test'
import type { ProofAnswer } from '#contract/records/proof.ts'
import type { RecordsAnswer, ShownRecord } from '#contract/records/record-list.ts'
import { NO_RECORD } from '#contract/records/training-record.ts'
import { SEEDED_ADMIN, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { signInByCall, workIn } from '../people.ts'
import { go, type Screen } from './screen.ts'

const LONG = 'Druckausgleichsbehälteranschlussverschraubung am Prüfstand 4 nach dem Wechsel anziehen'

function makeRecord(seq: number, kind: ShownRecord['kind'], change: Partial<ShownRecord> = {}): ShownRecord {
  return {
    seq,
    kind,
    hash: `${seq}`.padStart(2, 'f').repeat(32).slice(0, 64),
    time: '2026-11-20T10:00:00.000Z',
    people: [{ id: 'p1', name: 'Anna Berg' }],
    peopleCount: 1,
    trainings: [{ id: 'm1', title: 'Replace the filter', number: 2 }],
    trainingCount: 1,
    knownBy: null,
    by: null,
    words: '',
    photos: [],
    offlineAt: null,
    effort: null,
    corrects: null,
    correctedBy: null,
    ...change,
  }
}

const BOSS = { id: 'p9', name: 'Mara Holm' }
const RECORDS = [
  makeRecord(18, 'corrected', {
    people: [],
    peopleCount: 0,
    trainings: [],
    trainingCount: 0,
    by: BOSS,
    corrects: 14,
    words: 'It was somebody else.',
  }),
  makeRecord(17, 'signed_off', {
    people: [{ id: 'p2', name: 'محمد عبد الرحمن' }],
    knownBy: 'supervisor',
    by: BOSS,
    words: 'Has shown every step on the machine.',
  }),
  makeRecord(16, 'confirmed', {
    trainings: [{ id: 'm2', title: LONG, number: 12 }],
    knownBy: 'personal_link',
    offlineAt: '2026-11-20T08:12:00.000Z',
    words: 'I have understood it and will work accordingly.',
  }),
  makeRecord(15, 'erased', { people: [{ id: 'p3', name: null }], trainings: [], trainingCount: 0 }),
  makeRecord(14, 'reached', {
    people: [{ id: 'p3', name: null }],
    knownBy: 'code',
    effort: { seconds: 412, attempts: 3 },
    correctedBy: 18,
  }),
  makeRecord(13, 'assigned', {
    people: ['Anna Berg', 'Bo Lind', 'Käthe von Hohenstein-Löwenberg'].map((name, index) => ({
      id: `p${index}`,
      name,
    })),
    peopleCount: 412,
    by: BOSS,
    trainings: [{ id: 'm1', title: 'Replace the filter', number: null }],
  }),
]

const ANSWER: RecordsAnswer = {
  success: true,
  records: RECORDS,
  next: 13,
  head: { seq: 18, hash: 'a1'.repeat(32) },
  fromSeq: 9,
  checkpoint: { day: '2026-11-19', seq: 16, hash: 'b2'.repeat(32) },
  keeping: { months: 36, hold: 'Claim 17', showsEffort: false },
}
const EMPTY: RecordsAnswer = {
  ...ANSWER,
  records: [],
  next: null,
  head: { seq: 0, hash: NO_RECORD },
  fromSeq: 1,
  checkpoint: null,
  keeping: { months: null, hold: null, showsEffort: false },
}

const SIGNED = {
  time: '2026-11-20T10:00:00.000Z',
  name: 'Mara Holm',
  words: 'Has shown every step on the machine.',
  version: 2,
}
const NAMES = ['Anna Berg', 'محمد عبد الرحمن', 'Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine', '']
const PROOF: ProofAnswer = {
  success: true,
  isCut: false,
  seq: 18,
  time: '2026-11-21T10:00:00.000Z',
  rows: ['Replace the filter', LONG].map((title, index) => ({
    person: { id: 'p1', name: 'Anna Berg', number: '1704' },
    training: { id: `m${index}`, title, number: 2 + index, hash: 'c3'.repeat(32) },
    doneAt: SIGNED.time,
    reached: { time: SIGNED.time, version: 2 + index },
    confirmed: index === 0 ? null : { ...SIGNED, name: 'Anna Berg', words: 'I have understood it.' },
    signedOff: { ...SIGNED, seq: 17, photos: [], earlier: [] },
  })),
}

/** One training that many have done. */
const ATTENDANCE: ProofAnswer = {
  ...PROOF,
  rows: Array.from({ length: 40 }, (_, index) => ({
    ...(PROOF.rows[index % 2] ?? PROOF.rows[0]),
    person: { id: `p${index}`, name: NAMES[index % NAMES.length] ?? '', number: index % 3 ? `${1700 + index}` : null },
    training: { id: 'm1', title: LONG, number: 2, hash: 'c3'.repeat(32) },
  })) as ProofAnswer['rows'],
}

async function openRecords(page: Page, { answer, path = '' }: { answer: RecordsAnswer; path?: string }): Promise<void> {
  await signInByCall(page.request, { email: SEEDED_ADMIN.email, password: SEEDED_PASSWORD })
  await page.goto('/dashboard')
  await workIn(page, SEEDED_ORGANIZATION.name)
  await page.route(/\/api\/records(\?|$)/, (route) => route.fulfill({ json: answer }))
  await page.route('**/api/records/proof?*', (route) =>
    route.fulfill({ json: route.request().url().includes('training=') ? ATTENDANCE : PROOF }),
  )
  await go(page, `/team/records${path}`, 'Keep records')
}

/** The training records of an organization. */
export const RECORD_SCREENS: readonly Screen[] = [
  { name: 'team-records', who: 'stranger', open: (page) => openRecords(page, { answer: ANSWER }) },
  { name: 'team-records-none', who: 'stranger', open: (page) => openRecords(page, { answer: EMPTY }) },
  {
    name: 'team-records-person',
    who: 'stranger',
    open: (page) => openRecords(page, { answer: { ...ANSWER, records: RECORDS.slice(2, 3) }, path: '?person=p1' }),
  },
  {
    name: 'team-records-correct',
    who: 'stranger',
    open: async (page) => {
      await openRecords(page, { answer: ANSWER })
      await page
        .getByRole('button', { name: /^Mark as wrong…/ })
        .first()
        .click()
      await page.getByRole('dialog').getByLabel('Reason').waitFor()
    },
  },
  {
    name: 'team-records-certificate',
    who: 'stranger',
    open: async (page) => {
      await openRecords(page, { answer: ANSWER, path: '?person=p1' })
      await page.getByRole('link', { name: 'Certificate' }).click()
      await page.getByText('1704').waitFor()
    },
  },
  {
    name: 'team-records-attendance',
    who: 'stranger',
    open: async (page) => {
      await openRecords(page, { answer: ANSWER, path: '?training=m1' })
      await page.getByRole('link', { name: 'Attendance list' }).click()
      await page.getByText('Anna Berg').first().waitFor()
    },
  },
]
