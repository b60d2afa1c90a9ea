import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Module } from '#contract/module.ts'
import type { Proposal } from '#contract/step.ts'
import type { FileTask, FromWorker, ToWorker } from '#web/features/upload/file-worker/messages.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { type Answers, makeProblem, makeStep, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { StepServer } from '#web/testing/step-server.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { TrainingPage } from './training-page.tsx'

const SCENES: Proposal[] = [0, 20, 65].map((start) => ({
  ...makeStep(start, start),
  id: `scene-1-${start * 1000}`,
  title: '',
  description: '',
  replaces: [],
}))
const UNNAMED = { status: 'FAILED', failureCode: 'unnamed', lastError: 'There is no speech.' } as const
const REJECT = 'POST /api/steps/m1/proposals'

let server: StepServer

/** A server that makes the module READY with the first saved step, and offers what has no step. */
function openPage(fields: Partial<Module> = UNNAMED, more: Answers = {}, url = '/training/m1') {
  const rejected = new Set<string>()
  const now = () =>
    (server.steps.length > 0 ? { ...fields, status: 'READY', failureCode: null } : fields) as typeof fields
  const isOpen = ({ id }: Proposal) => !rejected.has(id) && !server.steps.some((step) => step.id === id)
  const answers = makeTrainingAnswers(fields, {
    ...server.answers(fields),
    'GET /api/modules/m1': () => (server.answers(now())['GET /api/modules/m1'] as () => unknown)(),
    'GET /api/steps/m1/proposals': () => ({ success: true, proposals: SCENES.filter(isOpen) }),
    [REJECT]: ({ body }: { body: { ids: string[]; decision: string } }) => {
      if (body.decision === 'undo') rejected.clear()
      else for (const id of body.ids) rejected.add(id)
      return { success: true, steps: server.steps, transcript: '', meta: META }
    },
    ...more,
  })
  const page = (
    <>
      <TrainingPage />
      <Toaster />
    </>
  )
  return { ...renderPage(page, { path: '/training/:moduleId', url, answers }), answers }
}

const META = { durationSec: 90, version: 1, editedVersion: 0, transcriptSource: null }
const AT = { 0: '0 seconds', 20: '20 seconds', 65: '1 minute 5 seconds' } as const

const field = (start: keyof typeof AT) => screen.findByLabelText(`Title of the scene at ${AT[start]}`)
const queryField = (start: keyof typeof AT) => screen.queryByLabelText(`Title of the scene at ${AT[start]}`)

beforeEach(() => {
  server = new StepServer([])
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
  Element.prototype.scrollIntoView = vi.fn()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A worker that finds these scenes and draws every image; null where the browser cannot look through the video. */
function makeFileWorker(startsMs: number[] | null) {
  return class extends EventTarget {
    postMessage(message: ToWorker) {
      if (!('task' in message)) return
      for (const data of answer(message.task, startsMs)) {
        queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
      }
    }
    terminate() {}
  }
}

function answer(task: FileTask, startsMs: number[] | null): FromWorker<unknown>[] {
  if (task.kind === 'images') {
    const blob = new Blob(['image'], { type: 'image/webp' })
    return [...task.timesMs.map((timeMs) => ({ answer: { timeMs, blob } })), { done: true }]
  }
  if (task.kind === 'step-images') {
    const blob = new Blob(['image'], { type: 'image/webp' })
    return [
      ...task.spans.map(({ startMs }) => ({ answer: { startMs, small: blob, large: blob, wide: null } })),
      { done: true },
    ]
  }
  if (startsMs === null) return [{ failed: { name: 'Error', message: 'No decoder' } }]
  return [{ answer: { startsMs } }, { done: true }]
}

describe('the naming screen', () => {
  test('takes one title after the other from the keyboard, and the first opens the training', async () => {
    const { router } = openPage()
    await userEvent.type(await field(0), 'Open the lid{Enter}')
    expect(await field(20)).toHaveFocus()
    await waitFor(() => expect(queryField(0)).toBeNull())
    expect(screen.getByText('Open the lid')).toBeVisible()
    expect(await screen.findByText(/^The training is open/)).toBeVisible()
    expect(server.saves).toMatchObject([{ steps: [{ id: 'scene-1-0', title: 'Open the lid', start: 0 }] }])

    await userEvent.keyboard('Close the valve{Enter}')
    await waitFor(() => expect(server.steps.map(({ title }) => title)).toEqual(['Open the lid', 'Close the valve']))
    expect(await screen.findByText('2 of 3 named')).toBeVisible()
    expect(router.state.location.hash).toBe('#naming')
    await userEvent.click(screen.getByRole('button', { name: 'Open the training' }))
    expect(await screen.findByRole('region', { name: 'Steps' })).toBeVisible()
    expect(await screen.findByText('1 scene has no name yet.')).toBeVisible()
    await userEvent.click(screen.getByRole('link', { name: 'Name the steps' }))
    expect(await field(65)).toBeVisible()
  })

  test('leads to the first scene, and to the other ways on', async () => {
    openPage()
    const first = await field(0)
    await userEvent.click(screen.getByRole('button', { name: 'Name the scenes' }))
    expect(first).toHaveFocus()
    expect(screen.getByRole('button', { name: 'Add captions' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Write the steps' })).toBeVisible()
  })

  test('saves what is written when the training is opened', async () => {
    openPage()
    await userEvent.type(await field(0), 'Open the lid{Enter}')
    await userEvent.type(await field(65), 'Close the lid')
    await userEvent.click(await screen.findByRole('button', { name: 'Open the training' }))
    await waitFor(() => expect(server.steps.map(({ title }) => title)).toEqual(['Open the lid', 'Close the lid']))
  })

  const READY = { ...UNNAMED, status: 'READY', failureCode: null } as const
  const FIRST_NAMED = { ...makeStep(0, 0), id: 'scene-1-0', title: 'Open the lid' }

  test('lists a step that was added by hand in its place', async () => {
    const { queryClient } = openPage()
    await userEvent.type(await field(0), 'Open the lid{Enter}')
    await screen.findByText(/^The training is open/)
    server.saveElsewhere((steps) => [...steps, { ...makeStep(1, 40), title: 'Clean the lid' }])
    await act(() => queryClient.invalidateQueries())
    await screen.findByText('Clean the lid')
    const rows = within(screen.getByRole('region', { name: 'Scenes' })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent?.includes('Seen, not said'))).toEqual([true, true, false, true])
    expect(rows[2]).toHaveTextContent('Clean the lid')
    expect(screen.getByText('2 of 4 named')).toBeVisible()
  })

  test('saves what is written when the way back leads out of it', async () => {
    server.steps = [FIRST_NAMED]
    const { router } = openPage(READY)
    await userEvent.click(await screen.findByRole('link', { name: 'Name the steps' }))
    await userEvent.type(await field(65), 'Close the lid')
    await act(() => router.navigate(-1))
    expect(await screen.findByRole('region', { name: 'Steps' })).toBeVisible()
    expect(server.steps.map(({ title }) => title)).toEqual(['Open the lid', 'Close the lid'])
  })

  test('is not said to have scenes left that have just been named', async () => {
    server.steps = [FIRST_NAMED]
    openPage(READY, { 'GET /api/steps/m1/proposals': { success: true, proposals: SCENES } })
    expect(await screen.findByText('2 scenes have no names yet.')).toBeVisible()
  })

  test('saves a title once that is sent twice, and opens the training after it', async () => {
    openPage({ ...UNNAMED, status: 'READY', failureCode: null }, {}, '/training/m1#naming')
    await userEvent.type(await field(0), 'Open the lid')
    const form = screen.getByLabelText('Title of the scene at 0 seconds').closest('form')
    if (form === null) throw new Error('The field has no form')
    act(() => {
      fireEvent.submit(form)
      fireEvent.submit(form)
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Open the training' }))
    expect(await screen.findByRole('region', { name: 'Steps' })).toBeVisible()
    expect(server.saves).toHaveLength(1)
  })

  test('leaves a scene out, and takes that back', async () => {
    openPage()
    await field(20)
    await userEvent.click(screen.getByRole('button', { name: 'Leave out the scene at 20 seconds' }))
    await waitFor(() => expect(queryField(20)).toBeNull())
    expect(await screen.findByText('Scene left out')).toBeVisible()
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await field(20)).toBeVisible()
  })

  test('refuses a title that is missing or too long, and keeps one that could not be saved', async () => {
    openPage()
    const first = await field(0)
    await userEvent.click(screen.getByRole('button', { name: 'Save the title of the scene at 0 seconds' }))
    expect(screen.getByText('Title is required')).toBeVisible()
    expect(first).toHaveFocus()
    fireEvent.change(first, { target: { value: 'x'.repeat(100) } })
    expect(screen.getByText('Title must be under 100 characters')).toBeVisible()
    expect(first).toBeInvalid()
    server.failure = makeProblem('unavailable', 'Not now')
    fireEvent.change(first, { target: { value: 'Open the lid' } })
    await userEvent.click(screen.getByRole('button', { name: 'Save the title of the scene at 0 seconds' }))
    expect(await screen.findByText('Failed to add step. Please try again.')).toBeVisible()
    expect(await field(0)).toHaveValue('Open the lid')
  })

  test('marks each scene as seen, shows its image, and plays it', async () => {
    openPage({ ...UNNAMED, posterUrl: '/media/m1/images/poster?ticket=t' })
    await field(65)
    expect(screen.getAllByText('Seen, not said')).toHaveLength(3)
    const play = screen.getByRole('button', { name: 'Play the scene at 1 minute 5 seconds' })
    expect(within(play).getByRole('presentation')).toHaveAttribute('src', '/media/m1/images/step-65000?ticket=t')
    await userEvent.click(play)
    expect(screen.getByLabelText('Video position')).toHaveTextContent('65')
  })

  test('says that the scenes could not be loaded, and loads them again', async () => {
    const { answers } = openPage(UNNAMED, {
      'GET /api/steps/m1/proposals': makeProblem('not_found', 'Not now'),
    })
    expect(await screen.findByText('Failed to load the scenes')).toBeVisible()
    answers['GET /api/steps/m1/proposals'] = { success: true, proposals: SCENES }
    await userEvent.click(screen.getByRole('button', { name: 'Load the scenes again' }))
    expect(await field(0)).toBeVisible()
  })

  test('is not for a person who only views', async () => {
    openPage({ status: 'FAILED', failureCode: null, lastError: null, role: 'viewer' }, {}, '/training/m1#naming')
    expect(await screen.findByRole('heading', { name: 'Processing Failed' })).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'Name the steps' })).toBeNull()
  })
})

describe('a silent video whose scenes no browser has looked for', () => {
  const SILENT = { status: 'FAILED', failureCode: 'no_narration', lastError: 'There is no speech.' } as const

  /** Both sizes of each. */
  const IMAGES = ['step-0-960', 'step-0', 'step-20000-960', 'step-20000']

  const offered: unknown[] = []
  const kept: string[] = []
  const keep = (name: string) => () => {
    kept.push(name)
    return { success: true }
  }
  const ANSWERS = {
    'PUT /api/modules/m1/images/poster': keep('poster'),
    ...Object.fromEntries(IMAGES.map((name) => [`PUT /api/modules/m1/images/${name}`, keep(name)])),
    'PUT /api/steps/m1/proposals': ({ body }: { body: unknown }) => {
      offered.push(body)
      return { success: true, proposals: [] }
    },
  }
  beforeEach(() => {
    offered.length = 0
    kept.length = 0
    vi.stubGlobal('fetch', async () => new Response('video'))
  })

  test('offers each way on with how long it takes, and leads to the form for a step', async () => {
    openPage({ ...SILENT, totalDuration: 600 }, ANSWERS)
    await screen.findByRole('button', { name: 'Find the scenes' })
    const ways = ['Add captions', 'Find the scenes', 'Write the steps'].map(
      (name) => screen.getByRole('button', { name }).closest('li')?.textContent,
    )
    expect(ways).toEqual([
      expect.stringMatching(/about a minute$/),
      expect.stringMatching(/about 10 minutes$/),
      expect.stringMatching(/about 20 minutes$/),
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Write the steps' }))
    const form = screen.getByRole('form', { name: 'Need to add a missing step?' })
    expect(within(form).getByRole('textbox', { name: 'Title' })).toHaveFocus()
  })

  test('can be looked through from its page, which says where nothing is found', async () => {
    vi.stubGlobal('Worker', makeFileWorker([]))
    openPage(SILENT, ANSWERS)
    await userEvent.click(await screen.findByRole('button', { name: 'Find the scenes' }))
    expect(await screen.findByText('No scene change was found in it.')).toBeVisible()
    expect(offered).toEqual([{ starts: [] }])
  })

  test.each([
    ['a poster first, where it has none', null, ['poster', ...IMAGES]],
    ['no second poster', '/media/m1/images/poster?ticket=t', IMAGES],
  ])('gets an image of each scene, and %s', async (_, posterUrl, images) => {
    vi.stubGlobal('Worker', makeFileWorker([0, 20_000]))
    openPage({ ...SILENT, posterUrl }, ANSWERS)
    await userEvent.click(await screen.findByRole('button', { name: 'Find the scenes' }))
    await waitFor(() => expect(offered).toEqual([{ starts: [0, 20] }]))
    expect(kept).toEqual(images)
  })

  test('does not say that nothing was found where the browser cannot look', async () => {
    vi.stubGlobal('Worker', makeFileWorker(null))
    openPage(SILENT, ANSWERS)
    await userEvent.click(await screen.findByRole('button', { name: 'Find the scenes' }))
    expect(await screen.findByText('The video could not be looked through. Try again.')).toBeVisible()
    expect(offered).toEqual([])
  })

  test('is no longer loaded when its page is left', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    vi.stubGlobal('fetch', (_: string, init?: RequestInit) => {
      signals.push(init?.signal)
      return new Promise(() => undefined)
    })
    const { router } = openPage(SILENT, ANSWERS)
    await userEvent.click(await screen.findByRole('button', { name: 'Find the scenes' }))
    await waitFor(() => expect(signals).toHaveLength(1))
    expect(signals[0]?.aborted).toBe(false)
    await act(() => router.navigate('/upload'))
    expect(signals[0]?.aborted).toBe(true)
  })

  test('says when the video could not be loaded', async () => {
    vi.stubGlobal('fetch', async () => new Response('gone', { status: 404 }))
    openPage(SILENT)
    await userEvent.click(await screen.findByRole('button', { name: 'Find the scenes' }))
    expect(await screen.findByText('The video could not be looked through. Try again.')).toBeVisible()
  })
})

describe('titles from the screen', () => {
  const TITLED = SCENES.map((scene, index) => (index < 2 ? { ...scene, suggestedTitle: `Title ${index}` } : scene))
  const answers = () => ({
    'GET /api/steps/m1/proposals': () => ({
      success: true,
      proposals: TITLED.filter(({ id }) => !server.steps.some((step) => step.id === id)),
    }),
  })

  test('all of them become steps with one click, and nothing before it', async () => {
    openPage(UNNAMED, answers())
    expect(await field(0)).toHaveValue('Title 0')
    expect(await field(65)).toHaveValue('')
    const user = userEvent.setup()
    await user.clear(await field(20))
    await user.type(await field(20), 'Open the file')
    expect(server.steps).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Take all' }))
    await waitFor(() => expect(server.steps.map(({ title }) => title)).toEqual(['Title 0', 'Open the file']))
    expect(await screen.findByRole('button', { name: 'Open the training' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Take all' })).toBeNull()
    expect(queryField(65)).toBeVisible()
  })

  test('are not saved by leaving the page', async () => {
    openPage(UNNAMED, answers())
    expect(await field(0)).toHaveValue('Title 0')
    const event = new Event('beforeunload', { cancelable: true })
    act(() => void window.dispatchEvent(event))
    expect(event.defaultPrevented).toBe(false)
    expect(server.steps).toEqual([])
  })
})
