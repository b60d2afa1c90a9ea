// Behaviour: the page of a training while it is made, and when that fails.
import { useQuery } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Step } from '#contract/step.ts'
import { useApi } from '#web/lib/api.ts'
import { atWorkQuery } from '#web/lib/module-cache.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import {
  type Answers,
  makeModuleAnswer,
  makeProblem,
  makeTrainingAnswers,
  renderPage,
} from '#web/testing/page-harness.tsx'
import { TrainingPage } from '../training-page.tsx'

const AT_WORK = 'GET /api/modules/processing'

/** With the watch for modules that end, as the app has on every page. */
function openPage(answers: Answers, query = '') {
  const page = (
    <>
      <TrainingPage />
      <Watch />
    </>
  )
  answers[AT_WORK] = { success: true, modules: [] }
  return renderPage(page, { path: '/training/:moduleId', url: `/training/m1${query}`, answers })
}

function Watch() {
  useQuery(atWorkQuery(useApi()))
  return null
}

const PROCESSING = { status: 'PROCESSING', steps: [] as Step[], stepsVersion: 0 } as const

beforeEach(() => {
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a module in processing', () => {
  test('shows the stage and the words of the server', async () => {
    openPage(makeTrainingAnswers({ ...PROCESSING, progress: 62, message: 'Writing the steps' }))
    expect(await screen.findByText('Enhancing with AI')).toBeVisible()
    expect(screen.getByText('Writing the steps')).toBeVisible()
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '62')
    expect(screen.getAllByText('Done:')).toHaveLength(3)
  })

  test('says of the steps what the server says before the first', { tags: 'spec-8.4' }, async () => {
    openPage(makeTrainingAnswers({ ...PROCESSING, progress: 20 }))
    const steps = await screen.findByRole('region', { name: 'Steps' })
    expect(await within(steps).findByText('Steps not ready yet - module still processing')).toBeVisible()
    expect(within(steps).queryByRole('alert')).toBeNull()
  })

  test('waits on the same screen before anything is known, right after an upload', {
    tags: ['spec-2.9', 'spec-4.5'],
  }, async () => {
    openPage(makeTrainingAnswers({}, { 'GET /api/modules/m1': () => new Promise(() => {}) }), '?processing=true')
    expect(screen.getByText('Starting AI analysis')).toBeVisible()
  })

  test('warns when it is slow and says what is usual after five minutes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    openPage(makeTrainingAnswers({ ...PROCESSING, progress: 20 }))
    await act(() => vi.advanceTimersByTimeAsync(92_000))
    expect(screen.getByText('This is taking a little longer than usual')).toBeVisible()
    await act(() => vi.advanceTimersByTimeAsync(210_000))
    expect(screen.getByText(/usually takes 30-60 seconds and can take up to 3 minutes/)).toBeVisible()
  })

  test('counts from the start on the server, also where the first steps are there, and estimates what is left', {
    tags: ['spec-4.8', 'spec-9.6'],
  }, async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const work = { seconds: 299, fromProgress: 10, waiting: null }
    const answers = makeTrainingAnswers({ ...PROCESSING, progress: 40, message: 'Listening', work })
    openPage(answers)
    expect(await screen.findByText('This is taking a little longer than usual')).toBeVisible()
    expect(screen.getByText('Listening · about 10 minutes left')).toBeVisible()
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    const overdue = /usually takes 30-60 seconds and can take up to 3 minutes/
    expect(screen.getByText(overdue)).toHaveTextContent('At the speed so far there is about 11 minutes left.')
    answers['GET /api/modules/m1'] = makeModuleAnswer({
      status: 'PROCESSING',
      progress: 60,
      work: { seconds: 305, fromProgress: 10, waiting: null },
    })
    await act(() => vi.advanceTimersByTimeAsync(5_100))
    expect(screen.getByRole('button', { name: /Step 1/ })).toBeVisible()
    expect(screen.getByText(overdue)).toBeVisible()
  })

  test('says what a run waits for instead of an estimate from its speed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const wait = (before: number, seconds: number) => ({ seconds: 400, fromProgress: 10, waiting: { before, seconds } })
    const turn = { ...PROCESSING, progress: 30, message: 'Waiting for its turn', work: wait(4, 170) }
    const answers = makeTrainingAnswers(turn)
    openPage(answers)
    expect(await screen.findByText('Waiting for its turn · behind 4 other videos, about 3 minutes')).toBeVisible()
    expect(screen.queryByText(/At the speed so far/)).toBeNull()
    const message = 'Waiting for its turn: the speech service is busy'
    answers['GET /api/modules/m1'] = makeModuleAnswer({ ...turn, message, work: wait(0, 45) })
    await act(() => vi.advanceTimersByTimeAsync(5_100))
    expect(screen.getByText(`${message} · next try in about 50 seconds`)).toBeVisible()
  })

  test('measures the speed of a run that continues an earlier one from what it sees', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = makeTrainingAnswers({
      ...PROCESSING,
      progress: 60,
      work: { seconds: 20, fromProgress: null, waiting: null },
    })
    openPage(answers)
    await act(() => vi.advanceTimersByTimeAsync(100))
    expect(screen.queryByText(/left$/)).toBeNull()
    answers['GET /api/modules/m1'] = makeModuleAnswer({
      ...PROCESSING,
      progress: 80,
      work: { seconds: 60, fromProgress: null, waiting: null },
    })
    await act(() => vi.advanceTimersByTimeAsync(6_100))
    expect(screen.getByText(/about [45]0 seconds left$/)).toBeVisible()
  })

  test('becomes the training by polling alone, and the address forgets the processing', {
    tags: ['guarantee-G6', 'fault-31', 'spec-4.3', 'spec-9.5'],
  }, async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = makeTrainingAnswers({ ...PROCESSING, progress: 20 })
    answers['POST /api/modules/m1/live-ticket'] = makeProblem('unavailable', 'No sockets today')
    const { router } = openPage(answers, '?processing=true&seek=20')
    await act(() => vi.advanceTimersByTimeAsync(100))
    answers['GET /api/modules/m1'] = makeModuleAnswer()
    await act(() => vi.advanceTimersByTimeAsync(5_100))
    expect(screen.getByTestId('player')).toBeVisible()
    expect(screen.getByRole('button', { name: /Step 1/ })).toBeVisible()
    expect(screen.getByText('The training is ready.')).toBeInTheDocument()
    expect(router.state.location.search).toBe('?seek=20')
    expect(router.state.historyAction).toBe('REPLACE')
  })

  test('shows an event of the socket at once, and loads the steps once more 750 ms after READY', {
    tags: ['spec-4.4', 'spec-9.5'],
  }, async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = makeTrainingAnswers({ ...PROCESSING, progress: 20 })
    const { countCalls } = openPage(answers, '?processing=true')
    await act(() => vi.advanceTimersByTimeAsync(100))
    const sendEvent = (fields: object) =>
      act(async () => {
        FakeSocket.all[0]?.receive({ kind: 'module', message: '', stepsVersion: 0, segmentCount: 0, ...fields })
        await vi.advanceTimersByTimeAsync(100)
      })
    await sendEvent({ seq: 1, status: 'PROCESSING', progress: 55 })
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '55')
    answers['GET /api/modules/m1'] = makeModuleAnswer()
    await sendEvent({ seq: 2, status: 'READY', progress: 100, stepsVersion: 1 })
    expect(screen.getByRole('button', { name: /Step 1/ })).toBeVisible()
    const before = countCalls('GET /api/steps/m1')
    await act(() => vi.advanceTimersByTimeAsync(800))
    expect(countCalls('GET /api/steps/m1')).toBe(before + 1)
  })
})

describe('a module that failed', () => {
  const failed = { status: 'FAILED', steps: [] as Step[], lastError: 'The narration could not be understood.' } as const

  const GO_ON = 'Go on from where it broke off'

  async function pickCaptions(name: string, sizeBytes = 10) {
    const file = new File([new Uint8Array(sizeBytes)], name)
    fireEvent.change(await screen.findByLabelText('Caption file'), { target: { files: [file] } })
  }

  test('gives the reason and leads back to the upload', { tags: 'spec-8.4' }, async () => {
    openPage(makeTrainingAnswers({ ...failed, failureCode: 'truncated' }))
    expect(await screen.findByRole('heading', { name: 'Processing Failed' })).toBeVisible()
    expect(await screen.findByText('Processing failed: The narration could not be understood.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/upload')
    expect(screen.queryByRole('button', { name: 'Add captions' })).toBeNull()
    expect(screen.queryByRole('button', { name: GO_ON })).toBeNull()
  })

  test('goes on from where it broke off, which everybody who waits for modules learns', {
    tags: 'spec-2.25',
  }, async () => {
    const answers = makeTrainingAnswers({ ...failed, failureCode: 'gave_up' })
    const bodies: unknown[] = []
    answers['POST /api/reprocess/m1'] = ({ body }: { body: unknown }) => {
      bodies.push(body)
      answers['GET /api/modules/m1'] = makeModuleAnswer({ ...PROCESSING, progress: 60 })
      return { success: true, moduleId: 'm1', run: 2 }
    }
    const { router, countCalls } = openPage(answers)
    const again = await screen.findByRole('button', { name: GO_ON })
    expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/upload')
    expect(countCalls(AT_WORK)).toBe(1)
    fireEvent.click(again)
    expect(await screen.findByRole('progressbar')).toBeVisible()
    expect(screen.getByText('Steps not ready yet - module still processing')).toBeVisible()
    expect(bodies).toEqual([{ from: 'failed' }])
    await waitFor(() => expect(countCalls(AT_WORK)).toBe(2))
    expect(router.state.location.search).toBe('?processing=true')
  })

  test('offers to process from the start where the audio got lost', async () => {
    openPage(makeTrainingAnswers({ ...failed, failureCode: 'source_missing' }))
    expect(await screen.findByRole('button', { name: 'Reprocess' })).toBeVisible()
  })

  test('offers no resume before its video has arrived', async () => {
    openPage(makeTrainingAnswers({ ...failed, failureCode: 'gave_up', hasVideo: false }))
    expect(await screen.findByRole('link', { name: 'Try Again' })).toBeVisible()
    expect(screen.queryByRole('button', { name: GO_ON })).toBeNull()
  })

  test('leads a viewer back to the upload, and offers its other ways out to the owner only', {
    tags: 'spec-2.25',
  }, async () => {
    openPage(makeTrainingAnswers({ ...failed, failureCode: null, role: 'viewer', lastError: null }))
    expect(await screen.findByText('Processing failed: the trainer can see the reason')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Add captions' })).toBeNull()
    expect(screen.queryByRole('button', { name: GO_ON })).toBeNull()
    expect(screen.getByRole('link', { name: 'Try Again' })).toHaveAttribute('href', '/upload')
  })

  test('shows what is wrong with a caption file, and processes again with a good one', async () => {
    const answers = makeTrainingAnswers({ ...failed, failureCode: 'not_understood' })
    const sent: unknown[] = []
    answers['POST /api/captions/m1'] = ({ file }: { file?: { contentType: string } }) => {
      sent.push(file?.contentType)
      return makeProblem('captions_invalid', 'Line 7: the end of the cue comes before its start.')
    }
    const { router, countCalls } = openPage(answers)
    await pickCaptions('talk.SRT')
    expect(await screen.findByText('Line 7: the end of the cue comes before its start.')).toBeVisible()
    const report = { success: true, cues: 3, encoding: 'windows-1251', firstLines: ['Откройте крышку.'] }
    answers['POST /api/captions/m1'] = ({ path }: { path: string }) =>
      path.endsWith('?charset=koi8-r') ? { ...report, encoding: 'koi8-r', firstLines: ['Close it.'] } : report
    answers['PUT /api/captions/m1'] = ({ path }: { path: string }) => {
      sent.push(path)
      return { success: true, cues: 3 }
    }
    answers['GET /api/modules/m1'] = makeModuleAnswer({ ...PROCESSING, progress: 60 })
    expect(countCalls(AT_WORK)).toBe(1)
    await pickCaptions('talk.srt')
    const dialog = within(await screen.findByRole('dialog', { name: 'Check these captions' }))
    expect(dialog.getByText('Откройте крышку.')).toBeVisible()
    fireEvent.change(dialog.getByLabelText('Encoding'), { target: { value: 'koi8-r' } })
    expect(await dialog.findByText('Close it.')).toBeVisible()
    fireEvent.click(dialog.getByRole('button', { name: 'Use captions' }))
    expect(await screen.findByRole('progressbar')).toBeVisible()
    await waitFor(() => expect(countCalls(AT_WORK)).toBe(2))
    expect(router.state.location.search).toBe('?processing=true')
    expect(sent).toEqual(['application/x-subrip', '/api/captions/m1?charset=koi8-r'])
  })

  test('refuses other files and too large ones without sending them', async () => {
    const { countCalls } = openPage(makeTrainingAnswers({ ...failed, failureCode: 'no_audio' }))
    await pickCaptions('talk.pdf')
    expect(await screen.findByText('Choose a caption file, such as .vtt or .srt.')).toBeVisible()
    await pickCaptions('talk.vtt', 2 * 1024 * 1024 + 1)
    expect(await screen.findByText('The caption file is larger than 2 MB.')).toBeVisible()
    expect(countCalls('PUT /api/captions/m1')).toBe(0)
  })
})
