// Behaviour: what the share page reports of its learner.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LearningReport } from '#contract/learning.ts'
import { toWholeSeconds } from '#contract/time/time-ranges.ts'
import { keepAccountLearner } from '#web/features/learning/learner-id.ts'
import { keepOwn } from '#web/features/learning/own-modules.ts'
import type { PlayerProps } from '#web/features/player/player-handle.ts'
import { PlayerStageContext } from '#web/features/player/video-player.tsx'
import { FakeStage, makeShareAnswer } from '#web/testing/page-harness.tsx'
import { watchVideo } from '#web/testing/watch-video.ts'
import { ShareApp } from '../share-app.tsx'

const calls: { path: string; body: unknown }[] = []
const NOTHING = { seen: [], percent: 0, isCompleted: false, position: 0 }
let isOnline: boolean
/** Whether the server knows the account. */
let isKnown: boolean
let isCompleted: boolean
let onPlayback: NonNullable<PlayerProps['onPlayback']>

async function answer(path: string, { body }: RequestInit = {}): Promise<Response> {
  if (!isOnline) throw new TypeError('Failed to fetch')
  calls.push({ path, body: JSON.parse(body as string) })
  const progress = { seen: [[15, 25]], percent: 10, isCompleted, position: 25 }
  if (path === '/api/learning-metrics') return Response.json({ success: true, progress })
  const session = { success: true, session: 'session', hasAccount: isKnown, learner: 'token' }
  return Response.json({ ...session, progress: isKnown ? progress : NOTHING })
}

/** The page of a person who has only the link, with its player. */
async function openPage(videoCodec = 'avc1.64001f') {
  const first = { ...makeShareAnswer({ totalDuration: 100, videoCodec }), status: 200, look: 'page' } as const
  const page = render(
    <PlayerStageContext
      value={(props) => {
        onPlayback = props.onPlayback ?? (() => {})
        return <FakeStage {...props} />
      }}
    >
      <ShareApp moduleId="m1" look="page" first={first} />
    </PlayerStageContext>,
  )
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  return page
}

// Loaded with the player, and then at once.
beforeAll(() => import('../shared-learning-log.ts'))

beforeEach(() => {
  localStorage.clear()
  calls.length = 0
  isOnline = true
  isKnown = false
  isCompleted = false
  vi.useFakeTimers()
  vi.stubGlobal('fetch', answer)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('learning on the share page', () => {
  test('counts nothing of a video whose audio alone is played', async () => {
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('')
    await openPage('hvc1.1.6.L93.B0')
    fireEvent.click(screen.getByRole('button', { name: 'Play the audio' }))
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    expect(screen.getByTestId('player')).toBeVisible()
    await watchVideo(onPlayback, 15, 25)
    expect(calls).toEqual([])
    expect(screen.queryByText(/watched/)).toBeNull()
  })

  test('ticks off a step that was seen, and shows the share of the video', async () => {
    await openPage()
    expect(screen.queryByText(/watched/)).toBeNull()
    await watchVideo(onPlayback, 15, 25)
    expect(screen.getByText('10% watched')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Step 2:.*, finished$/ })).toBeVisible()
    expect(screen.getAllByRole('button', { name: /, finished$/ })).toHaveLength(1)
    expect(calls.map(({ path }) => path)).toContain('/api/learning-metrics')
  })

  test('shows an owner what learners see, and counts nothing for as long as they are signed in', async () => {
    keepOwn('m1')
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('__client_uat=1766000000')
    const page = await openPage()
    await watchVideo(onPlayback, 15, 25)
    expect(screen.getByText('10% watched')).toBeVisible()
    page.unmount()
    expect(calls).toEqual([])
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('__client_uat=0')
    await openPage()
    expect(screen.queryByText(/watched/)).toBeNull()
    await watchVideo(onPlayback, 15, 25)
    expect(calls).not.toEqual([])
  })

  test('is the account’s progress where one is signed in on this device, from the first moment', async () => {
    keepAccountLearner({ userId: 'user_1', token: 'account-token', atMs: Date.now() })
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('__client_uat=1766000000')
    isKnown = true
    const page = await openPage()
    expect(calls).toMatchObject([{ path: '/api/learning-metrics/m1/sessions', body: { learner: 'account-token' } }])
    expect(screen.getByText('10% watched')).toBeVisible()
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('__client_uat=0')
    isKnown = false
    page.unmount()
    calls.length = 0
    await openPage()
    await watchVideo(onPlayback, 15, 25)
    expect(calls[0]?.body).not.toMatchObject({ learner: 'account-token' })
  })

  test('is completed when the server says so, and announces it once to screen readers', async () => {
    isCompleted = true
    await openPage()
    expect(screen.queryByText('Completed')).toBeNull()
    await watchVideo(onPlayback, 15, 25)
    expect(screen.getByText('Completed').closest('[role=status]')).not.toBeNull()
  })

  test('shows it without a connection and after a reload, and sends it then', async () => {
    isOnline = false
    const page = await openPage()
    await watchVideo(onPlayback, 15, 25)
    expect(screen.getByText('10% watched')).toBeVisible()
    page.unmount()
    expect(calls).toEqual([])
    isOnline = true
    await openPage()
    expect(screen.getByText('10% watched')).toBeVisible()
    const reports = calls.filter(({ path }) => path === '/api/learning-metrics')
    expect(reports[0]).toMatchObject({ body: { moduleId: 'm1', seq: 1 } })
    const segments = reports.flatMap(({ body }) => (body as LearningReport).segments)
    expect(toWholeSeconds(segments, 100)).toEqual([[15, 25]])
  })
})
