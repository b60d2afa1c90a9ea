import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { type Answers, makeProblem, makeSharedModule, renderPage } from '#web/testing/page-harness.tsx'
import { SharePage } from './share-page.tsx'

function makeAnswers(share: unknown): Answers {
  return {
    'GET /api/share/m1': share,
    'GET /api/video-url/m1': { success: true, url: 'https://videos.test/m1.mp4' },
    'POST /api/share/m1/live-ticket': { success: true, ticket: 'ticket', expiresAt: '2026-11-21T10:00:00.000Z' },
  }
}

function openPage(answers: Answers, query = '') {
  return renderPage(<SharePage />, { path: '/share/:moduleId', url: `/share/m1${query}`, answers })
}

function tell(fields: object) {
  const quiet = { kind: 'module', status: 'PROCESSING', message: '', segmentCount: 0 }
  act(() => FakeSocket.all[0]?.tell({ seq: 1, ...quiet, ...fields }))
}

beforeEach(() => {
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('SharePage', () => {
  test('shows title, video, steps and how to use them', async () => {
    openPage(makeAnswers(makeSharedModule()))
    expect(await screen.findByRole('heading', { level: 1, name: 'How to tie a bowline' })).toBeVisible()
    expect(await screen.findByTestId('player')).toHaveAttribute('data-src', 'https://videos.test/m1.mp4')
    expect(screen.getAllByRole('button', { name: /^Step \d/ })).toHaveLength(3)
    expect(screen.getByRole('heading', { name: 'How to Use' })).toBeVisible()
  })

  test('jumps to a step on click and names it in the banner', async () => {
    openPage(makeAnswers(makeSharedModule()))
    await screen.findByTestId('player')
    expect(screen.getByText('Press play, or pick a step to jump to it.')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: /Step 2/ }))
    expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
    expect(screen.getByText('Step 2 of 3 · 00:15')).toBeVisible()
  })

  test('takes a click on a step before the video is there, and starts from that step', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    openPage({ ...makeAnswers(makeSharedModule()), 'GET /api/video-url/m1': () => promise })
    await userEvent.click(await screen.findByRole('button', { name: /Step 2/ }))
    expect(screen.getByText(/Step 2 of 3/)).toBeVisible()
    resolve({ success: true, url: 'https://videos.test/m1.mp4' })
    await waitFor(() => expect(screen.getByLabelText('Video position')).toHaveTextContent('15'))
  })

  test('case 29: shows markup in a step as the text that it is', async () => {
    const spell = '<img src="//evil.test"> [click](javascript:alert(1))'
    const steps = makeSharedModule().module.steps.map((step) => ({ ...step, title: spell, description: spell }))
    openPage(makeAnswers(makeSharedModule({ title: spell, steps })))
    expect(await screen.findByRole('heading', { level: 1, name: spell })).toBeVisible()
    expect(screen.getAllByText(spell).length).toBeGreaterThan(steps.length)
    expect(document.querySelector('[src*="evil"], [href^="javascript:"]')).toBeNull()
  })

  test('says that a module is not there', async () => {
    openPage(makeAnswers(makeProblem('not_found', 'Not found')))
    expect(await screen.findByRole('heading', { name: 'Module Not Found' })).toBeVisible()
    expect(screen.getByText('This training module could not be found or is no longer available.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
  })

  test('offers to try again after any other failure', async () => {
    const answers = makeAnswers(makeProblem('rate_limited', 'Too many requests'))
    vi.useFakeTimers({ shouldAdvanceTime: true })
    openPage(answers)
    await act(() => vi.advanceTimersByTimeAsync(3_500))
    expect(screen.getByText('Could not load training module. Please try again.')).toBeVisible()
    answers['GET /api/share/m1'] = makeSharedModule()
    vi.useRealTimers()
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByTestId('player')).toBeVisible()
  })

  test('shows the progress of a module that is still made, and opens by itself', async () => {
    const answers = makeAnswers(makeSharedModule({ status: 'PROCESSING', progress: 40, steps: [] }))
    openPage(answers)
    expect(await screen.findByText(/This training is being prepared/)).toBeVisible()
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
    await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1))
    answers['GET /api/share/m1'] = makeSharedModule()
    tell({ status: 'READY', progress: 100, stepsVersion: 1 })
    expect(await screen.findByTestId('player')).toBeVisible()
  })

  test('plays the video while the first steps are still made, once it has arrived', async () => {
    const early = { status: 'PROCESSING', progress: 40, hasVideo: false, uploadPercent: 43 } as const
    const answers = makeAnswers(makeSharedModule({ ...early, steps: [] }))
    openPage(answers)
    expect(await screen.findByText(/It opens here by itself/)).toBeVisible()
    expect(screen.getByText('Video 43 % uploaded')).toBeVisible()
    expect(screen.queryByTestId('player')).toBeNull()
    await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1))
    answers['GET /api/share/m1'] = makeSharedModule({ status: 'PROCESSING', progress: 42, steps: [] })
    tell({ progress: 42, stepsVersion: 0 })
    expect(await screen.findByTestId('player')).toBeVisible()
    expect(screen.getByText(/You can watch the video already/)).toBeVisible()
  })

  test('shows steps as they come, sums them up, and keeps player and focus to the end', async () => {
    const { steps } = makeSharedModule().module
    const part = { status: 'PROCESSING', progress: 62, message: 'secret words', steps: steps.slice(1, 2) } as const
    const answers = makeAnswers(makeSharedModule(part))
    openPage(answers)
    const player = await screen.findByTestId('player')
    expect(await screen.findByText('1 step so far')).toHaveAttribute('role', 'status')
    const shown = screen.getByRole('button', { name: /^Step 1/ })
    shown.focus()
    await vi.waitFor(() => expect(FakeSocket.all).toHaveLength(1))
    answers['GET /api/share/m1'] = makeSharedModule()
    tell({ status: 'READY', progress: 100, stepsVersion: 2 })
    expect(await screen.findByRole('button', { name: /^Step 3/ })).toBeVisible()
    expect(screen.getByRole('button', { name: /^Step 2/ })).toBe(shown)
    expect(shown).toHaveFocus()
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.getByTestId('player')).toBe(player)
  })

  test('keeps the steps of a module that failed later, without the reason', async () => {
    const { steps } = makeSharedModule().module
    openPage(makeAnswers(makeSharedModule({ status: 'FAILED', message: 'secret reason', steps: steps.slice(0, 1) })))
    expect(await screen.findByRole('button', { name: /^Step 1/ })).toBeVisible()
    expect(screen.getByText(/some of its steps may be missing/)).toBeVisible()
    expect(screen.queryByText(/secret reason/)).toBeNull()
  })

  test('says of a failed module that it is not available yet, without the reason', async () => {
    openPage(makeAnswers(makeSharedModule({ status: 'FAILED', message: 'secret reason', steps: [] })))
    expect(await screen.findByText(/not available yet/)).toBeVisible()
    expect(screen.queryByText(/secret reason/)).toBeNull()
  })
})
