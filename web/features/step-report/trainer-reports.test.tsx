import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, it } from 'vitest'
import type { StepReportEntry } from '#contract/feedback/step-report.ts'
import { ApiContext, type CallApi } from '#web/lib/api.ts'
import { makeQueryClient } from '#web/lib/query-client.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { stepReportsKey } from './step-reports-query.ts'
import { ReportsNotice, StepReports } from './trainer-reports.tsx'

const HOSTILE = '<img src=x onerror=alert(1)> [Pay](https://example.com)'
const report = (id: string, text: string) => ({ id, text, hasPhoto: false, reportedAt: '2026-11-28T10:00:00.000Z' })
const WRONG: StepReportEntry = {
  stepId: 's1',
  kind: 'wrong',
  count: 2,
  lastAt: 5_000,
  reports: [report('report-of-a-device-1', 'It turns left.'), report('report-of-a-device-2', HOSTILE)],
}
const DANGER: StepReportEntry = { stepId: 's2', kind: 'dangerous', count: 1, lastAt: 6_000, reports: [] }
const GONE: StepReportEntry = { ...DANGER, stepId: null, kind: 'unclear' }

let entries: StepReportEntry[]
const calls: { path: string; body: unknown }[] = []

beforeEach(() => {
  entries = [DANGER, WRONG]
  calls.length = 0
})

function open() {
  const callApi: CallApi = async ({ path, method = 'GET', body, schema }) => {
    if (method !== 'GET') calls.push({ path: `${method} ${path}`, body })
    if (method !== 'GET') return schema.parse({ success: true, settledAt: 7_000 })
    return schema.parse({ success: true, entries, hidden: 0 })
  }
  const queryClient = makeQueryClient()
  render(
    <QueryClientProvider client={queryClient}>
      <ApiContext value={callApi}>
        <MemoryRouter>
          <ReportsNotice
            moduleId="m1"
            steps={[
              { id: 's1', title: 'Open' },
              { id: 's2', title: 'Lift' },
            ]}
          />
          <StepReports moduleId="m1" stepId="s1" />
        </MemoryRouter>
        <Toaster />
      </ApiContext>
    </QueryClientProvider>,
  )
  const refresh = () => queryClient.invalidateQueries({ queryKey: stepReportsKey('m1') })
  return { user: userEvent.setup(), refresh }
}

it('shows what is reported beside its step, as text and nothing else', async () => {
  open()
  expect(await screen.findByText('Wrong')).toBeVisible()
  expect(screen.getByText('Reported by 2 devices')).toBeVisible()
  expect(screen.getByText(HOSTILE)).toBeVisible()
  expect(document.querySelector('img')).toBeNull()
  expect(screen.queryByRole('link', { name: 'Pay' })).toBeNull()
})

it('leads to each danger, and says one that comes meanwhile', async () => {
  const { refresh } = open()
  const way = await screen.findByRole('link', { name: 'A danger was reported at step 2: Lift' })
  expect(way).toHaveAttribute('href', '/#step-2')
  expect(screen.queryByText('A danger was reported')).toBeNull()
  entries = [{ ...DANGER, stepId: 's1' }, DANGER, WRONG]
  await refresh()
  expect(await screen.findByText('A danger was reported')).toBeVisible()
})

it('settles an entry as it was seen, with a word, and takes it back', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Settle' }))
  await user.type(screen.getByLabelText('What those read who reported it (optional)'), 'It turns right now.')
  entries = [DANGER]
  await user.click(screen.getByRole('button', { name: 'Settle' }))
  expect(await screen.findByText('The report is settled')).toBeVisible()
  expect(screen.queryByText('It turns left.')).toBeNull()
  const settled = { stepId: 's1', kind: 'wrong', lastAt: 5_000, answer: 'It turns right now.' }
  expect(calls).toEqual([{ path: 'POST /api/step-reports/m1/settle', body: settled }])
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  const reopened = { stepId: 's1', kind: 'wrong', settledAt: 7_000 }
  await expect.poll(() => calls[1]).toEqual({ path: 'POST /api/step-reports/m1/reopen', body: reopened })
})

it('ignores the device of a report, and hears it again', async () => {
  const { user } = open()
  const hostile = (await screen.findByText(HOSTILE)).closest('li') as HTMLElement
  await user.click(within(hostile).getByRole('button', { name: 'Ignore this device' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await expect
    .poll(() => calls.map(({ body }) => body))
    .toEqual([
      { id: 'report-of-a-device-2', isIgnored: true },
      { id: 'report-of-a-device-2', isIgnored: false },
    ])
})

it('ignores also a device that says and shows nothing', async () => {
  entries = [{ ...WRONG, reports: [report('report-of-a-device-3', '')] }]
  const { user } = open()
  const bare = (await screen.findByRole('button', { name: 'Ignore this device' })).closest('li') as HTMLElement
  expect(within(bare).getByText('Nov 28, 2026')).toBeVisible()
  await user.click(within(bare).getByRole('button'))
  await expect.poll(() => calls[0]?.body).toEqual({ id: 'report-of-a-device-3', isIgnored: true })
})

it('shows what was reported from steps that are gone', async () => {
  entries = [GONE]
  open()
  expect(await screen.findByRole('heading', { name: 'At steps that are gone' })).toBeVisible()
  expect(screen.getByText('Unclear')).toBeVisible()
})
