import { screen, within } from '@testing-library/react'
import { makeZip } from 'client-zip'
import { expect, it, vi } from 'vitest'
import type { RecordsAnswer, ShownRecord } from '#contract/records/record-list.ts'
import { type ExportPart, PART_FILE } from '#records/export-parts.ts'
import { FakeClerk, fakeClerk } from '#web/testing/fake-clerk.tsx'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { RecordsPage } from './records-page.tsx'

const HASH = 'ab'.repeat(32)
const CONFIRMED: ShownRecord = {
  seq: 2,
  hash: HASH,
  time: '2026-11-30T08:00:00.000Z',
  kind: 'confirmed',
  people: [{ id: 'p1', name: 'Anna Berg' }],
  peopleCount: 1,
  trainings: [{ id: 'm1', title: 'Forklift', number: 3 }],
  trainingCount: 1,
  knownBy: 'personal_link',
  by: null,
  words: 'I have understood it.',
  photos: [],
  offlineAt: null,
  effort: null,
  corrects: null,
  correctedBy: null,
}
const ANSWER: RecordsAnswer = {
  success: true,
  records: [CONFIRMED],
  next: null,
  head: { seq: 2, hash: HASH },
  fromSeq: 1,
  checkpoint: { day: '2026-11-29', seq: 1, hash: 'cd'.repeat(32) },
  keeping: { months: null, hold: null, showsEffort: false },
}
const LIST = 'GET /api/records'
const SETTINGS = 'GET /api/sign-off/settings'

function renderPage(answers: Parameters<typeof fakeApi>[0], at = '/team/records') {
  const api = fakeApi({ [SETTINGS]: () => ({ success: true, passwordMinutes: null }), ...answers })
  const page = (
    <FakeClerk clerk={fakeClerk({ email: 'mara@example.com' })}>
      <RecordsPage />
    </FakeClerk>
  )
  return { ...renderApp(page, { organization: 'org_1', callApi: api.callApi, at }), calls: api.calls }
}

it('shows records, how far they go and the newest checkpoint', async () => {
  renderPage({ [LIST]: () => ANSWER })
  const row = await screen.findByRole('listitem')
  expect(row).toHaveTextContent('#2')
  expect(row).toHaveTextContent('ConfirmedAnna Berg')
  expect(row).toHaveTextContent('Forklift, version 3')
  expect(row).toHaveTextContent('By personal link')
  expect(screen.getByText('Checkpoint of Nov 29, 2026: record 1')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Export' })).toBeVisible()
})

it('saves each part of an export, as the one before says it is asked for', async () => {
  const saved: string[] = []
  URL.createObjectURL = () => 'blob:x'
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  const zipOf = (part: ExportPart) =>
    new Response(makeZip([{ name: PART_FILE, input: JSON.stringify(part) }]))
      .arrayBuffer()
      .then((zip) => new Blob([zip]))
  const next = { part: 2, end: 2, step: 'photos', after: 'p1/ab' } as const
  const { user } = renderPage({
    [LIST]: () => ANSWER,
    'GET /api/records/export': () => zipOf({ number: 1, next }),
    'GET /api/records/export?part=2&end=2&step=photos&after=p1%2Fab': () => zipOf({ number: 2, next: null }),
  })
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  expect(await screen.findByText(/^ZIP files saved: 2\./)).toBeVisible()
  expect(saved).toEqual(['training-records-1.zip', 'training-records-2.zip'])
  vi.restoreAllMocks()
})

it('says apart who some of many are, and only the name of a supervisor who signed', async () => {
  const people = ['Anna Berg', 'Bo Lind'].map((name) => ({ id: name, name }))
  const by = { id: 'p9', name: 'Mara Holm' }
  const signed: ShownRecord = { ...CONFIRMED, kind: 'signed_off', knownBy: 'supervisor', by, people, peopleCount: 5 }
  renderPage({ [LIST]: () => ({ ...ANSWER, records: [signed] }) })
  const row = await screen.findByRole('listitem')
  expect(row).toHaveTextContent('Signed offAnna Berg · Bo Lind +3')
  expect(row).toHaveTextContent('By Mara Holm')
  expect(row).not.toHaveTextContent('By supervisor')
})

it('says that older records are removed only once they are', async () => {
  const { user } = renderPage({ [LIST]: () => ANSWER })
  const months = await screen.findByRole('combobox', { name: 'Keep records' })
  expect(screen.queryByText(/^Older records are removed/)).toBeNull()
  await user.selectOptions(months, '3 years')
  expect(screen.getByText(/^Older records are removed/)).toBeVisible()
})

it('lists all about a person whose name is followed', async () => {
  const { user, calls } = renderPage({ [LIST]: () => ANSWER, [`${LIST}?person=p1`]: () => ANSWER })
  await user.click(await screen.findByRole('link', { name: 'Anna Berg' }))
  expect(await screen.findByRole('heading', { name: 'Anna Berg' })).toBeVisible()
  expect(calls.filter((call) => call !== SETTINGS)).toEqual([LIST, `${LIST}?person=p1`])
})

it('corrects a record with a reason and a name', async () => {
  const sent: unknown[] = []
  const correct = (body: unknown) => {
    sent.push(body)
    return { success: true }
  }
  const { user, calls } = renderPage({ [LIST]: () => ANSWER, 'POST /api/records/2/correction': correct })
  await user.click(await screen.findByRole('button', { name: /^Mark as wrong…/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Mark record 2 as wrong' })
  await user.type(within(dialog).getByLabelText('Reason'), 'Not Anna.')
  await user.type(within(dialog).getByLabelText('Your name'), 'Mara')
  await user.click(within(dialog).getByRole('button', { name: 'Mark as wrong' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect(sent).toEqual([{ reason: 'Not Anna.', name: 'Mara' }])
  expect(calls.at(-1)).toBe(LIST)
})

it('begins a legal hold only with a reason and a name', async () => {
  const sent: unknown[] = []
  const keep = (body: unknown) => {
    sent.push(body)
    return { success: true }
  }
  const { user } = renderPage({ [LIST]: () => ANSWER, 'PUT /api/records/keeping': keep })
  await user.click(await screen.findByRole('switch', { name: 'Legal hold' }))
  await user.type(screen.getByLabelText('Your name'), 'Mara')
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  await user.type(screen.getByLabelText('Reason, for example a case number'), 'Claim 17')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(sent).toEqual([{ months: null, hold: 'Claim 17', showsEffort: false, name: 'Mara' }])
})

it('erases a person after asking, and says why it cannot', async () => {
  const sent: unknown[] = []
  const refuse = (body: unknown) => {
    sent.push(body)
    throw new Error('A legal hold keeps all names.')
  }
  const answers = { [`${LIST}?person=p1`]: () => ANSWER, 'DELETE /api/records/people/p1': refuse }
  const { user } = renderPage({ ...answers, [LIST]: () => ANSWER })
  await user.click(await screen.findByRole('link', { name: 'Anna Berg' }))
  await user.click(await screen.findByRole('button', { name: 'Erase name…' }))
  await user.click(within(screen.getByRole('alertdialog', { name: 'Erase Anna Berg?' })).getByText('Erase'))
  expect(await screen.findByRole('alert')).toHaveTextContent('A legal hold keeps all names.')
  expect(sent).toEqual([{ name: 'mara@example.com' }])
})

it('says what will be here while there is nothing', async () => {
  renderPage({ [LIST]: () => ({ ...ANSWER, records: [], head: { seq: 0, hash: HASH }, checkpoint: null }) })
  expect(await screen.findByRole('heading', { name: 'No records yet' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
})

it('sets after which time supervisors are asked for their password again', async () => {
  const sent: unknown[] = []
  const saved = Promise.withResolvers<void>()
  const { user } = renderPage({
    [LIST]: () => ANSWER,
    'PUT /api/sign-off/settings': async (body) => {
      sent.push(body)
      await saved.promise
      return { success: true, ...(body as object) }
    },
  })
  const choice = await screen.findByRole('combobox', { name: /^Ask supervisors for their password/ })
  expect(choice).toHaveDisplayValue('Never')
  await user.selectOptions(choice, 'If they last entered it more than 1 hour ago')
  // It keeps the focus meanwhile, and takes no other choice.
  expect(choice).toBeEnabled()
  await user.selectOptions(choice, 'Never')
  expect(choice).toHaveDisplayValue('If they last entered it more than 1 hour ago')
  saved.resolve()
  expect(await screen.findByText('Saved')).toBeVisible()
  expect(choice).toHaveDisplayValue('If they last entered it more than 1 hour ago')
  expect(sent).toEqual([{ passwordMinutes: 60 }])
})
