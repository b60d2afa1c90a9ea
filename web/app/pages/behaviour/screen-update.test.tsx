// Behaviour: the page of a training says that the screen has changed its steps, and takes that back.
import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Step } from '#contract/step.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { makeStep, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { StepServer } from '#web/testing/step-server.ts'
import { TrainingPage } from '../training-page.tsx'

const PLAIN = [makeStep(1, 10), makeStep(2, 40), makeStep(3, 70)]
const COMMANDS = [{ kind: 'command' as const, text: 'man -k directory', startMs: 12_000 }]
const OTHER = { kind: 'command' as const, text: 'ls -a', startMs: 13_000 }

/** The first two steps, which the screen has changed. */
function screened(steps: readonly Step[]): Step[] {
  return steps.map((step, index) => {
    const { title, description, commands } = step
    return index === 2 ? step : { ...step, commands: COMMANDS, beforeScreen: { title, description, commands } }
  })
}

let server: StepServer

beforeEach(() => {
  server = new StepServer(PLAIN)
  localStorage.clear()
  FakeSocket.all.length = 0
  vi.stubGlobal('WebSocket', FakeSocket)
})
afterEach(() => vi.unstubAllGlobals())

function openPage() {
  return renderPage(<TrainingPage />, {
    path: '/training/:moduleId',
    url: '/training/m1',
    answers: makeTrainingAnswers({}, server.answers()),
  })
}

const notice = () => screen.queryByText('Updated from the screen.')

test('says how many steps say what the video shows as soon as they do, and takes all of it back', async () => {
  openPage()
  await screen.findByText('Title of step 3')
  expect(notice()).toBeNull()
  server.moveOn(screened)
  await act(async () => {
    const event = { kind: 'module', status: 'READY', message: '', progress: 100, segmentCount: 0 }
    FakeSocket.all[0]?.receive({ seq: 1, ...event, stepsVersion: server.version })
  })
  expect(await screen.findByText('2 steps say what the video shows.')).toBeVisible()
  expect(await screen.findAllByText('man -k directory')).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(server.steps.map(({ id, title, commands }) => [id, title, commands])).toEqual(
    PLAIN.map(({ id, title }) => [id, title, []]),
  )
  expect(screen.queryByText('man -k directory')).toBeNull()
  expect(notice()).toBeNull()
})

test('is said once: after it was dismissed, only another change is', async () => {
  server = new StepServer(screened(PLAIN))
  const { unmount } = openPage()
  await screen.findByText('2 steps say what the video shows.')
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(notice()).toBeNull()
  unmount()
  const again = openPage()
  await screen.findByText('Title of step 3')
  expect(notice()).toBeNull()
  again.unmount()
  server.moveOn((steps) => steps.map((step) => ({ ...step, commands: [...step.commands, OTHER] })))
  openPage()
  await screen.findByText('2 steps say what the video shows.')
})
