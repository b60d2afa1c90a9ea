import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { VIDEO_RENEW_MS } from '#contract/limits.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import {
  type Answers,
  makeModuleAnswer,
  makeProblem,
  makeStepsAnswer,
  makeTrainingAnswers,
  renderPage,
} from '#web/testing/page-harness.tsx'
import { TrainingPage } from './training-page.tsx'

function openPage(answers: Answers, query = '') {
  return renderPage(<TrainingPage />, { path: '/training/:moduleId', url: `/training/m1${query}`, answers })
}

beforeEach(() => {
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  // jsdom has no layout, so it has no scrolling either.
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function makeTranscript(text: string) {
  const segments = [{ id: 'l1', start: 0, end: 4, text, confidence: null }]
  return { success: true, source: 'speech', language: 'en', segments }
}

describe('a finished training', () => {
  test('shows the video, the transcript with its length, and the steps with their times', {
    tags: 'spec-2.22',
  }, async () => {
    openPage(makeTrainingAnswers())
    expect(await screen.findByTestId('player')).toHaveAttribute('data-src', 'https://videos.test/m1.mp4')
    expect(screen.getByRole('heading', { level: 1, name: 'How to tie a bowline' })).toBeVisible()
    expect(screen.getByText('18 characters')).toBeVisible()
    const [, second, third] = screen.getAllByRole('listitem')
    expect(within(second as HTMLElement).getByText('00:15')).toBeVisible()
    expect(within(third as HTMLElement).getByText('01:02:05')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Back to Upload' })).toHaveAttribute('href', '/upload')
    expect(screen.getByDisplayValue('http://localhost:3000/share/m1')).toBeVisible()
  })

  test.each([
    ['owner', 1],
    ['viewer', 0],
  ] as const)('says to the owner, not to a viewer, that not everybody sees the video: %s', async (role, notes) => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('probably')
    const answers = makeTrainingAnswers()
    openPage({ ...answers, 'GET /api/modules/m1': makeModuleAnswer({ role, videoCodec: 'hvc1.1.6.L93.B0' }) })
    expect(await screen.findByTestId('player')).toBeVisible()
    expect(screen.queryAllByText(/Upload it as MP4 with H\.264 to reach everybody/)).toHaveLength(notes)
  })

  test('says that this browser cannot show a video, in place of the player', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('')
    openPage({ ...makeTrainingAnswers(), 'GET /api/modules/m1': makeModuleAnswer({ videoCodec: 'apcn' }) })
    expect(await screen.findByText('Your browser cannot show this video')).toBeVisible()
    expect(screen.queryByTestId('player')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Play the audio' }))
    expect(await screen.findByTestId('player')).toBeVisible()
  })

  test('jumps to a step and marks the one that plays', async () => {
    openPage(makeTrainingAnswers())
    await screen.findByTestId('player')
    await userEvent.click(screen.getByRole('button', { name: /Step 2/ }))
    expect(screen.getByLabelText('Video position')).toHaveTextContent('15')
    expect(screen.getByRole('button', { name: /Step 2/ })).toHaveAttribute('aria-current', 'step')
    await userEvent.click(screen.getByRole('button', { name: /Step 1/ }))
    await userEvent.click(screen.getByRole('button', { name: 'Let 15 seconds pass' }))
    expect(screen.getByRole('button', { name: /Step 2/ })).toHaveAttribute('aria-current', 'step')
    expect(screen.getByRole('button', { name: /Step 1/ })).not.toHaveAttribute('aria-current')
  })

  test('starts where the address says', { tags: 'spec-2.9' }, async () => {
    openPage(makeTrainingAnswers({ role: 'viewer' }), '?seek=20#step-2')
    await screen.findByTestId('player')
    expect(screen.getByLabelText('Video position')).toHaveTextContent('20')
    expect(screen.getByRole('button', { name: /Step 2/ })).toHaveFocus()
    expect(screen.queryByRole('form', { name: 'Edit step 2' })).toBeNull()
  })

  test('opens the editor of the step that the address names for its owner', async () => {
    openPage(makeTrainingAnswers(), '#step-2')
    const editor = await screen.findByRole('form', { name: 'Edit step 2' })
    expect(within(editor).getByLabelText('Title')).toHaveFocus()
  })

  test('asks for a new address at most twice when the video breaks, and keeps the position', {
    tags: ['spec-8.5', 'spec-9.4'],
  }, async () => {
    let version = 0
    const answers = makeTrainingAnswers()
    answers['GET /api/video-url/module/m1'] = () => ({ success: true, url: `https://videos.test/${++version}.mp4` })
    const { countCalls } = openPage(answers, '?seek=20')
    for (const address of [1, 2, 3]) {
      await waitFor(() =>
        expect(screen.getByTestId('player').dataset['src']).toBe(`https://videos.test/${address}.mp4`),
      )
      expect(screen.getByLabelText('Video position')).toHaveTextContent('20')
      await userEvent.click(screen.getByRole('button', { name: 'Break the video' }))
    }
    expect(await screen.findByText('Video Unavailable')).toBeVisible()
    expect(countCalls('GET /api/video-url/module/m1')).toBe(3)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByTestId('player')).toHaveAttribute('data-src', 'https://videos.test/4.mp4')
    expect(screen.getByLabelText('Video position')).toHaveTextContent('20')
  })

  test('renews the right to the video every few minutes, and the player keeps its address and its place', {
    tags: 'attack-35',
  }, async () => {
    let version = 0
    const answers = makeTrainingAnswers()
    answers['GET /api/video-url/module/m1'] = () => ({ success: true, url: `https://videos.test/${++version}.mp4` })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { countCalls } = openPage(answers, '?seek=20')
    const player = await screen.findByTestId('player')
    const renewals = 4
    await act(() => vi.advanceTimersByTimeAsync(renewals * VIDEO_RENEW_MS + 1_000))
    expect(countCalls('GET /api/video-url/module/m1')).toBe(1 + renewals)
    expect(screen.getByTestId('player')).toBe(player)
    expect(player.dataset['src']).toBe('https://videos.test/1.mp4')
    expect(screen.getByLabelText('Video position')).toHaveTextContent('20')
    // A renewal is none of the two refreshes that the player has.
    for (let refresh = 1; refresh <= 2; refresh += 1) {
      fireEvent.click(screen.getByRole('button', { name: 'Break the video' }))
      await waitFor(() => expect(version).toBe(1 + renewals + refresh))
      expect(screen.queryByText('Video Unavailable')).toBeNull()
    }
    fireEvent.click(screen.getByRole('button', { name: 'Break the video' }))
    expect(await screen.findByText('Video Unavailable')).toBeVisible()
  })

  test('says when the server gives no address', async () => {
    const answers = makeTrainingAnswers({}, { 'GET /api/video-url/module/m1': { success: true, url: '' } })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    openPage(answers)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(screen.getByText('Video Unavailable')).toBeVisible()
    expect(screen.getByText('No URL returned from server')).toBeVisible()
  })
})

describe('steps that do not come', () => {
  test.each([
    ['steps_not_ready', 'Steps not ready yet - module still processing'],
    ['processing_failed', 'Processing failed: no narration'],
    ['steps_not_found', 'Steps not found - module processing may have failed'],
  ] as const)('shows the words of %s and loads again on request', async (code, message) => {
    const answers = makeTrainingAnswers({}, { 'GET /api/steps/m1': makeProblem(code, message) })
    openPage(answers)
    expect(await screen.findByText(message)).toBeVisible()
    answers['GET /api/steps/m1'] = makeStepsAnswer()
    await userEvent.click(screen.getByRole('button', { name: 'Retry Loading Steps' }))
    expect(await screen.findByRole('button', { name: /Step 1/ })).toBeVisible()
  })

  test('tries five more times after a timeout, two seconds apart, and then gives up', {
    tags: ['fault-46', 'spec-8.3', 'spec-9.3'],
  }, async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const timeout = new ApiError({ status: 0, code: 'timeout', message: 'Request timeout' })
    const { countCalls } = openPage(makeTrainingAnswers({}, { 'GET /api/steps/m1': timeout }))
    await act(() => vi.advanceTimersByTimeAsync(2_100))
    expect(screen.getByText(/Request timeout\. Trying again/)).toBeVisible()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.getByText('Failed to load steps after multiple attempts')).toBeVisible()
    expect(countCalls('GET /api/steps/m1')).toBe(6)
  })

  test('says why it tries again, with one period', async () => {
    const away = new ApiError({ status: 0, code: 'network', message: 'Adapt cannot be reached. Try again.' })
    openPage(makeTrainingAnswers({}, { 'GET /api/steps/m1': away }))
    expect(await screen.findByText('Adapt cannot be reached. Try again. Trying again (1 of 5)…')).toBeVisible()
  })

  test('offers to load again when there are none', async () => {
    openPage(makeTrainingAnswers({}, { 'GET /api/steps/m1': makeStepsAnswer([]) }))
    expect(await screen.findByText('No steps found in this training yet.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Retry Loading Steps' })).toBeVisible()
  })
})

describe('a transcript that does not come', () => {
  const TRANSCRIPT = 'GET /api/transcript/m1'
  const NONE = 'There is no transcript for this video.'
  const refused = makeProblem('not_found', 'Not found')
  const box = () => screen.findByRole('region', { name: 'Transcript' })

  test('is not said to be missing when the steps fail too, and loads again on request', {
    tags: 'spec-2.22',
  }, async () => {
    const answers = makeTrainingAnswers({}, { [TRANSCRIPT]: refused, 'GET /api/steps/m1': refused })
    openPage(answers)
    expect(await within(await box()).findByText('Failed to load the transcript')).toHaveRole('alert')
    expect(screen.queryByText(NONE)).toBeNull()
    expect(screen.queryByText('Is the transcript right?')).toBeNull()
    answers[TRANSCRIPT] = makeTranscript('Make a small loop.')
    await userEvent.click(screen.getByRole('button', { name: 'Load transcript again' }))
    expect(await within(await box()).findByText('Make a small loop.')).toBeVisible()
    expect(within(await box()).queryByRole('alert')).toBeNull()
  })

  test('is reported where steps are not asked for yet', async () => {
    const processing = { status: 'PROCESSING' as const, steps: [], stepsVersion: 0, progress: 20 }
    openPage(makeTrainingAnswers(processing, { [TRANSCRIPT]: refused }))
    expect(await screen.findByText('Failed to load the transcript')).toBeVisible()
  })

  test('leaves the words that came with the steps, and says that their times are missing', async () => {
    openPage(makeTrainingAnswers({}, { [TRANSCRIPT]: refused }))
    expect(await screen.findByText('Failed to load the times of the transcript')).toHaveRole('alert')
    expect(within(await box()).getByText('Make a small loop.')).toBeVisible()
    expect(screen.getByText('Is the transcript right?')).toBeVisible()
  })

  test('is missing where the server says so', async () => {
    const none = { ...makeStepsAnswer(), transcript: '' }
    openPage(makeTrainingAnswers({}, { 'GET /api/steps/m1': none }))
    expect(await screen.findByText(NONE)).toBeVisible()
  })
})

describe('a module that cannot be shown', () => {
  test('says that it is not there and leads to the dashboard', async () => {
    openPage({ 'GET /api/modules/m1': makeProblem('not_found', 'Not found') })
    expect(await screen.findByText(/This training module could not be found/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard')
    expect(FakeSocket.all).toHaveLength(0)
  })

  test('can be asked for again after a failure', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = makeTrainingAnswers({}, { 'GET /api/modules/m1': makeProblem('internal', 'Something went wrong') })
    const { countCalls } = openPage(answers)
    await act(() => vi.advanceTimersByTimeAsync(3_500))
    expect(screen.getByText('Could not load this training')).toBeVisible()
    expect(countCalls('GET /api/modules/m1')).toBe(3)
    answers['GET /api/modules/m1'] = makeModuleAnswer()
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await act(() => vi.advanceTimersByTimeAsync(200))
    expect(screen.getByTestId('player')).toBeVisible()
  })
})
