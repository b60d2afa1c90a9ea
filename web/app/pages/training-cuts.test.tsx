import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { SaveCuts } from '#contract/cuts.ts'
import type { ModuleRole } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { PlayerProps } from '#web/features/player/player-handle.ts'
import { FakeStage, makeStep, makeStepsAnswer, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { Toaster } from '#web/ui/toast.tsx'
import { TrainingPage } from './training-page.tsx'

const line = (id: string, start: number, end: number, text: string) => ({ id, start, end, text, confidence: 0.9 })
const TRANSCRIPT = {
  success: true,
  source: 'speech',
  language: 'en',
  segments: [
    line('a', 0, 9, 'Now we open the.'),
    line('b', 12, 20, 'Now we open the cover of it.'),
    line('c', 40, 60, 'Press the button.'),
  ],
}

let saved: SaveCuts[]
let played: PlayerProps['cuts'][]

/** A training of a minute; its server keeps what is left out. */
function openPage(cuts: StepsAnswer['meta']['cuts'] = [], role: ModuleRole = 'owner') {
  let answer = makeStepsAnswer([makeStep(1, 0), makeStep(2, 12), makeStep(3, 40)])
  answer = { ...answer, meta: { ...answer.meta, cuts } }
  const put = ({ body }: { body: SaveCuts }) => {
    saved.push(body)
    answer = { ...answer, meta: { ...answer.meta, cuts: body.cuts, version: answer.meta.version + 1 } }
    return answer
  }
  const more = {
    'GET /api/steps/m1': () => answer,
    'GET /api/transcript/m1': TRANSCRIPT,
    'PUT /api/steps/m1/cuts': put,
  }
  return renderPage(
    <>
      <TrainingPage />
      <Toaster />
    </>,
    {
      path: '/training/:moduleId',
      url: '/training/m1',
      answers: makeTrainingAnswers({ role, totalDuration: 60 }, more),
      drawStage(props) {
        played.push(props.cuts)
        return <FakeStage {...props} />
      },
    },
  )
}

const findPanel = async () => within(await screen.findByRole('region', { name: 'Left out of the video' }))

beforeEach(() => {
  localStorage.clear()
  saved = []
  played = []
  Element.prototype.scrollIntoView = vi.fn()
  // jsdom shows no video, and does not say so.
  Object.defineProperty(HTMLMediaElement.prototype, 'src', {
    configurable: true,
    get: () => '',
    set(this: HTMLMediaElement) {
      queueMicrotask(() => this.dispatchEvent(new Event('error')))
    },
  })
})

test('offers to leave out pauses and false starts, and takes a no for an answer', async () => {
  const { unmount } = openPage()
  const panel = await findPanel()
  expect(panel.getByText(/^This video may have 00:31 of pauses and false starts/)).toBeVisible()
  await userEvent.click(panel.getByRole('button', { name: 'Not now' }))
  expect(screen.queryByRole('region', { name: 'Left out of the video' })).toBeNull()
  unmount()
  openPage()
  await screen.findByText('Press the button.')
  expect(screen.queryByRole('region', { name: 'Left out of the video' })).toBeNull()
})

test('leaves out what is taken, plays without it, and undoes it', async () => {
  openPage()
  const panel = await findPanel()
  await userEvent.click(panel.getByRole('button', { name: 'Take a look' }))
  // Pauses are not offered where this browser cannot see them; jsdom shows no video.
  const start = await panel.findByRole('slider', { name: 'Start' })
  expect(panel.getByRole('checkbox', { name: 'False start, 00:00 to 00:12' })).toBeChecked()
  expect(panel.getByText(/but the video file still has it/)).toBeVisible()
  fireEvent.change(start, { target: { value: '2' } })
  await userEvent.click(panel.getByRole('button', { name: 'Play without: False start, 00:02 to 00:12' }))
  expect(played.at(-1)).toEqual([[2, 12]])
  await userEvent.click(panel.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved).toEqual([{ cuts: [[2, 12]], version: 1 }]))
  expect(await panel.findByRole('button', { name: 'Change' })).toBeVisible()
  expect(played.at(-1)).toEqual([[2, 12]])
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(saved.at(-1)).toEqual({ cuts: [], version: 2 }))
  await waitFor(() => expect(played.at(-1)).toEqual([]))
})

test('marks steps and lines that are left out for their owner, and plays all of it again', async () => {
  openPage([[11, 39]])
  const panel = await findPanel()
  expect(panel.getByText('00:28 of the video is left out.')).toBeVisible()
  expect(screen.getAllByText('Left out', { selector: 'span' }).length).toBeGreaterThan(0)
  expect(screen.getByText('Now we open the cover of it.').closest('button')).toHaveTextContent('Left out')
  await userEvent.click(panel.getByRole('button', { name: 'Play all of it' }))
  await waitFor(() => expect(saved).toEqual([{ cuts: [], version: 1 }]))
})

test('learners are offered nothing, and their player knows what is left out', async () => {
  openPage([[11, 39]], 'viewer')
  await waitFor(() => expect(played.at(-1)).toEqual([[11, 39]]))
  expect(screen.queryByRole('region', { name: 'Left out of the video' })).toBeNull()
})
