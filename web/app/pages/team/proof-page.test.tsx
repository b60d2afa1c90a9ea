import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { ProofAnswer } from '#contract/records/proof.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { FakeClerk, fakeClerk } from '#web/testing/fake-clerk.tsx'
import { fakeApi, renderApp } from '#web/testing/render-app.tsx'
import { ProofPage } from './proof-page.tsx'

const TIME = '2026-11-30T08:00:00.000Z'
const ANSWER: ProofAnswer = {
  success: true,
  isCut: false,
  seq: 17,
  time: TIME,
  rows: [
    {
      person: { id: 'p1', name: 'Anna Berg', number: '17' },
      training: { id: 'm1', title: 'Forklift', number: 3, hash: 'ab'.repeat(32) },
      doneAt: TIME,
      reached: { time: TIME, version: 4 },
      confirmed: null,
      signedOff: { time: TIME, version: 3, name: 'Mara Holm', words: 'Has shown it.', seq: 9, photos: [], earlier: [] },
    },
  ],
}

function renderSheet(query: string, answer: ProofAnswer = ANSWER, photos: Parameters<typeof fakeApi>[0] = {}) {
  const { callApi } = fakeApi({ [`GET /api/records/proof?${query}`]: () => answer, ...photos })
  const page = (
    <FakeClerk clerk={fakeClerk({ email: 'mara@example.com', organization: 'South Works' })}>
      <ProofPage />
    </FakeClerk>
  )
  return renderApp(page, { organization: 'org_1', callApi, at: `/team/records/print?${query}` })
}

it('prints the certificate of a person with version and signature', async () => {
  renderSheet('person=p1')
  expect(await screen.findByRole('heading', { name: 'Certificate' })).toBeVisible()
  expect(screen.getByText('South Works')).toBeVisible()
  expect(screen.getByText(/Anna Berg/)).toHaveTextContent('Anna Berg (17)')
  const row = screen.getByRole('listitem')
  expect(row).toHaveTextContent('ForkliftVersion 3Hash of the version: abababababababab')
  expect(row).toHaveTextContent(/Signed off: Mara Holm, .*2026.*: Has shown it\./)
  expect(row).toHaveTextContent(/version 4, /)
  expect(row).not.toHaveTextContent('Confirmed')
  expect(screen.getByRole('button', { name: 'Print' })).toBeVisible()
})

it('prints the attendance list of a training', async () => {
  renderSheet('training=m1')
  expect(await screen.findByRole('heading', { name: 'Attendance list' })).toBeVisible()
  expect(screen.getByRole('heading', { level: 3 })).toHaveTextContent('Anna Berg (17)')
})

it('names everybody under whose name something was done, and says that there is more', async () => {
  const rows = ANSWER.rows.flatMap((row) => [
    row,
    { ...row, person: { ...row.person, name: 'Anna Lind' }, training: { ...row.training, id: 'm2' } },
  ])
  renderSheet('person=p1', { ...ANSWER, rows, isCut: true })
  expect((await screen.findByText('Anna Lind (17)')).parentElement).toHaveTextContent('Anna Berg (17) · Anna Lind (17)')
  expect(screen.getByText('Only the first 2 rows are on this sheet. The export has all of them.')).toBeVisible()
})

it('prints nothing where there is nothing', async () => {
  renderSheet('person=p1', { ...ANSWER, rows: [] })
  expect(await screen.findByRole('heading', { name: 'No records yet' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
})

it('shows the photos of a sign-off on the certificate, and what became of one that is gone', async () => {
  URL.createObjectURL = () => 'blob:photo'
  URL.revokeObjectURL = () => {}
  const [there, gone] = ['a'.repeat(64), 'b'.repeat(64)]
  const [row] = ANSWER.rows
  const signedOff = { time: TIME, version: 3, name: 'Mara Holm', words: '', seq: 9 }
  const photos = [there, gone].map((hash) => ({ personId: 'p1', hash }))
  const earlier = [{ seq: 7, photos: [{ personId: 'p1', hash: there }] }]
  const rows = [{ ...row, signedOff: { ...signedOff, photos, earlier } }] as ProofAnswer['rows']
  renderSheet(
    'person=p1',
    { ...ANSWER, rows },
    {
      [`GET /api/records/photos/p1/${there}`]: () => new Blob(['x']),
      [`GET /api/records/photos/p1/${gone}`]: () => {
        throw new ApiError({ status: 404, code: 'not_found', message: 'This photo is not there any more.' })
      },
    },
  )
  expect(await screen.findByRole('img', { name: 'Photo 1 of record 9' })).toHaveAttribute('src', 'blob:photo')
  expect(await screen.findByText('Photo 2 of record 9: This photo is not there any more.')).toBeVisible()
  expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual([
    'Photo 1 of record 7',
    'Photo 1 of record 9',
  ])
})

it('says on the attendance list how many photos a sign-off has, and shows none of them', async () => {
  const photos = ['a', 'b', 'c'].map((digit) => ({ personId: 'p1', hash: digit.repeat(64) }))
  const signedOff = { time: TIME, version: 3, name: 'Mara Holm', words: '', seq: 9, photos: [], earlier: [] }
  const [row] = ANSWER.rows
  const rowOf = (name: string, of: object) => ({
    ...row,
    person: { id: name, name, number: null },
    signedOff: { ...signedOff, ...of },
  })
  const rows = [
    rowOf('Anna', { photos: photos.slice(1), earlier: [{ seq: 7, photos: photos.slice(0, 1) }] }),
    rowOf('Bo', { photos: photos.slice(0, 1) }),
    rowOf('Cem', {}),
  ] as ProofAnswer['rows']
  renderSheet('training=m1', { ...ANSWER, rows })
  const [anna, bo, cem] = await screen.findAllByRole('listitem')
  expect(anna).toHaveTextContent(/Signed off: Mara Holm, .* · 3 photos$/)
  expect(bo).toHaveTextContent(/ · 1 photo$/)
  expect(cem).not.toHaveTextContent('photo')
  expect(screen.queryByRole('img')).toBeNull()
})

it('asks again for a photo that was refused for a moment, as many are at once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  URL.createObjectURL = () => 'blob:photo'
  URL.revokeObjectURL = () => {}
  const hash = 'c'.repeat(64)
  const [row] = ANSWER.rows
  const signedOff = {
    time: TIME,
    version: 3,
    name: 'Mara Holm',
    words: '',
    seq: 9,
    photos: [{ personId: 'p1', hash }],
    earlier: [],
  }
  let calls = 0
  renderSheet(
    'person=p1',
    { ...ANSWER, rows: [{ ...row, signedOff }] as ProofAnswer['rows'] },
    {
      [`GET /api/records/photos/p1/${hash}`]: () => {
        calls += 1
        if (calls === 1) throw new ApiError({ status: 429, code: 'rate_limited', message: 'Too many calls.' })
        return new Blob(['x'])
      },
    },
  )
  expect(await screen.findByText('Photo 1 of record 9')).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(screen.getByRole('img', { name: 'Photo 1 of record 9' })).toBeVisible()
  vi.useRealTimers()
})
