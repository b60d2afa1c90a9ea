import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SharedModule } from '#contract/share.ts'
import { readVisitor } from '#web/features/learning/learner-id.ts'
import { PlayerStageContext } from '#web/features/player/video-player.tsx'
import { FakeStage, makeShareAnswer } from '#web/testing/page-harness.tsx'
import { ShareApp } from './share-app.tsx'

const SESSION = {
  session: 'session',
  hasAccount: false,
  progress: { seen: [], percent: 0, isCompleted: false, position: 0 },
}

/** What the server has of this device, and whether it can be reached. */
let reports: { id: string; learner?: string; stepId: string }[]
let settled: object[]
let isOnline: boolean

async function answer(path: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> {
  if (!isOnline) throw new TypeError('Failed to fetch')
  if (path.endsWith('/sessions')) return Response.json({ success: true, learner: 'visitor', ...SESSION })
  if (path.includes('/settled?')) return Response.json({ success: true, settled })
  if (path.startsWith('/api/step-reports/') && method === 'POST') {
    reports.push(JSON.parse(body as string))
    return Response.json({ success: true })
  }
  return new Response('{}', { status: 503 })
}

async function openPage(fields: Partial<SharedModule> = { takesReports: true }) {
  const view = render(
    <PlayerStageContext value={(props) => <FakeStage {...props} />}>
      <ShareApp moduleId="m1" look="page" first={{ ...makeShareAnswer(fields), status: 200, look: 'page' }} />
    </PlayerStageContext>,
  )
  await screen.findByTestId('player')
  return view
}

const flags = () => screen.queryAllByRole('button', { name: /^Report from step \d/ })

async function report() {
  fireEvent.click(flags()[1] as HTMLElement)
  const sheet = within(screen.getByRole('dialog', { name: 'What is wrong with this step?' }))
  fireEvent.click(sheet.getByRole('button', { name: 'Different here' }))
  fireEvent.click(sheet.getByRole('button', { name: 'Send' }))
  expect(await sheet.findByText('Thank you')).toBeVisible()
  const said = screen.getByRole('dialog').textContent
  fireEvent.click(sheet.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  return said
}

beforeEach(() => {
  localStorage.clear()
  reports = []
  settled = []
  isOnline = true
  vi.stubGlobal('fetch', answer)
  Element.prototype.scrollIntoView = vi.fn()
  // jsdom has dialogs that cannot be opened.
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false
    act(() => void this.dispatchEvent(new Event('close')))
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
})

it('has a flag at each step only where the owner lets learners report', async () => {
  const { unmount } = await openPage({ takesReports: false })
  expect(flags()).toEqual([])
  unmount()
  await openPage()
  await expect.poll(flags).toHaveLength(3)
})

it('reports with a token that is asked for first, and thanks at the step once that is settled', async () => {
  const { unmount } = await openPage()
  await expect.poll(flags).toHaveLength(3)
  expect(await report()).toContain('you read it here at the step')
  const [sent] = reports
  expect(sent).toMatchObject({ kind: 'different', text: '', photo: null, learner: 'visitor' })
  expect([readVisitor('m1'), reports.length]).toEqual(['visitor', 1])
  unmount()
  settled = [{ id: sent?.id, settledAt: '2026-12-04T10:00:00.000Z', answer: 'Newer machines turn right.' }]
  const second = await openPage()
  expect(await screen.findByText('Changed on Dec 4, 2026. Thank you.')).toBeVisible()
  const note = within(screen.getByText('Newer machines turn right.').closest('li') as HTMLElement)
  expect(note.getByRole('button', { name: /^Step 2/ })).toBeVisible()
  fireEvent.click(note.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText(/^Changed on/)).toBeNull()
  second.unmount()
  await openPage()
  await expect.poll(flags).toHaveLength(3)
  expect(screen.queryByText(/^Changed on/)).toBeNull()
})

it('keeps a report without a network, and sends it once when there is one', async () => {
  await openPage()
  await expect.poll(flags).toHaveLength(3)
  isOnline = false
  expect(await report()).toContain('kept on this device and sent later')
  isOnline = true
  act(() => void window.dispatchEvent(new Event('online')))
  await expect.poll(() => reports).toHaveLength(1)
  act(() => void window.dispatchEvent(new Event('online')))
  await act(() => Promise.resolve())
  expect(reports).toHaveLength(1)
})
