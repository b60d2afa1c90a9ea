// Behaviour: what the page of a training reports of its learner.
import { act, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LearnerProgress } from '#contract/learning.ts'
import type { ModuleRole } from '#contract/module.ts'
import { keepVisitor, readVisitor } from '#web/features/learning/learner-id.ts'
import type { PlayerProps } from '#web/features/player/player-handle.ts'
import { FakeSocket } from '#web/testing/fake-socket.ts'
import { FakeStage, makeProblem, makeTrainingAnswers, renderPage } from '#web/testing/page-harness.tsx'
import { watchVideo } from '#web/testing/watch-video.ts'
import { TrainingPage } from '../training-page.tsx'

const POST = 'POST /api/learning-metrics'
const START = 'POST /api/learning-metrics/m1/sessions'
const OPENED = 'PUT /api/opened-modules/m1'
const NOTHING: LearnerProgress = { seen: [], percent: 0, isCompleted: false, position: 0 }

const sent: unknown[] = []
const starts: unknown[] = []
let onPlayback: PlayerProps['onPlayback']

async function openPage(role: ModuleRole, mine: LearnerProgress | Error = NOTHING) {
  const answers = makeTrainingAnswers({ role, totalDuration: 100 })
  answers[START] = (call: { body: unknown }) => {
    starts.push(call.body)
    return { success: true, learner: 'account', session: 'session', hasAccount: true, progress: mine }
  }
  answers[OPENED] = { success: true }
  if (mine instanceof Error) answers[START] = mine
  answers[POST] = (call: { body: unknown }) => {
    sent.push(call.body)
    return { success: true, progress: { seen: [[1, 11]], percent: 10, isCompleted: false, position: 11 } }
  }
  const drawStage = (props: PlayerProps) => {
    onPlayback = props.onPlayback
    return <FakeStage {...props} />
  }
  const page = renderPage(<TrainingPage />, { path: '/training/:moduleId', url: '/training/m1', answers, drawStage })
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByTestId('player')).toBeInTheDocument()
  return page
}

// Loaded with the player, and then at once.
beforeAll(() => import('#web/features/learning/learning-log.ts'))

beforeEach(() => {
  localStorage.clear()
  sent.length = 0
  starts.length = 0
  FakeSocket.all.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeSocket)
  Element.prototype.scrollIntoView = vi.fn()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('learning on the training page', () => {
  test('counts what a viewer watches, and shows what the account has seen elsewhere', async () => {
    await openPage('viewer', { seen: [[15, 25]], percent: 10, isCompleted: true, position: 25 })
    expect(screen.getByText('Completed')).toBeVisible()
    expect(screen.getByText('10% watched')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Step 2:.*, finished$/ })).toBeVisible()
    if (onPlayback === undefined) throw new Error('nothing is counted')
    await watchVideo(onPlayback, 1, 11)
    expect(sent.at(-1)).toMatchObject({ moduleId: 'm1', position: 11 })
    expect(screen.getByText('20% watched')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Step 1:.*, finished$/ })).toBeVisible()
  })

  test('puts the training on the list of what a viewer has opened, once, and not on that of an owner', async () => {
    const page = await openPage('viewer')
    expect(page.countCalls(OPENED)).toBe(1)
    page.unmount()
    expect((await openPage('owner')).countCalls(OPENED)).toBe(0)
  })

  test('keeps what is watched while no session can be started, and shows it', async () => {
    const page = await openPage('viewer', makeProblem('unavailable', 'Not now'))
    if (onPlayback === undefined) throw new Error('nothing is counted')
    await watchVideo(onPlayback, 1, 11)
    expect(screen.getByText('10% watched')).toBeVisible()
    expect(sent).toEqual([])
    expect(page.countCalls(START)).toBeGreaterThan(0)
    expect(Object.keys(localStorage).some((key) => key.startsWith('adapt_played:'))).toBe(true)
  })

  test.each(['viewer', 'owner'] as const)(
    'claims for a %s what this device has watched before signing in',
    async (role) => {
      keepVisitor('m1', 'visitor-token')
      await openPage(role)
      expect(starts).toMatchObject([{ claim: 'visitor-token' }])
      expect(readVisitor('m1')).toBeUndefined()
    },
  )

  test('learning on the training page neither counts nor sends what an owner watches', async () => {
    const page = await openPage('owner')
    expect(onPlayback).toBeUndefined()
    expect(page.countCalls(START)).toBe(0)
    expect(screen.queryByText(/% watched/)).toBeNull()
  })
})
