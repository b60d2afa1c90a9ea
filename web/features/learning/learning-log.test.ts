import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LearnerProgress, LearningReport, SessionRequest } from '#contract/learning.ts'
import { isStepFinished, percentOf } from './learned.ts'
import { LearningLog } from './learning-log.ts'
import type { SendOutcome } from './report-outbox.ts'

const sent: LearningReport[] = []
let answer: SendOutcome
let close: () => void

const NOTHING: LearnerProgress = { seen: [], percent: 0, isCompleted: false, position: 0 }
const requests: SessionRequest[] = []

/** @param who an account knows what it has seen elsewhere */
function openPage(who = 'anyone', progress = NOTHING): LearningLog {
  const hasAccount = who !== 'anyone'
  const log = new LearningLog({
    moduleId: 'm1',
    who,
    start: async (_moduleId, request) => {
      requests.push(request)
      const learner = hasAccount ? 'account' : (request.learner ?? `learner ${requests.length}`)
      return { kind: 'started', answer: { success: true, learner, session: `${request.page}`, hasAccount, progress } }
    },
    send: async (report) => {
      sent.push(structuredClone(report))
      return answer
    },
  })
  close = log.open()
  return log
}

/** Plays at normal speed, a time every quarter of a second. */
async function play(log: LearningLog, fromS: number, toS: number) {
  log.note({ kind: 'play', seconds: fromS, isPlaying: true })
  for (let seconds = fromS + 0.25; seconds <= toS; seconds += 0.25) {
    await vi.advanceTimersByTimeAsync(250)
    log.note({ kind: 'time', seconds, isPlaying: true })
  }
}

function hide(state: 'hidden' | 'visible') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  sent.length = 0
  requests.length = 0
  answer = { kind: 'later', afterMs: 0 }
})

afterEach(() => {
  close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('LearningLog', () => {
  test('shows what was played at once, sends it every thirty seconds at first, and at once on pause', async () => {
    answer = { kind: 'taken', progress: { seen: [[0, 10]], percent: 10, isCompleted: false, position: 10 } }
    const log = openPage()
    await play(log, 0, 9)
    expect(percentOf(log.store.getState(), 100)).toBe(8)
    expect(sent.length).toBeLessThanOrEqual(1)
    await play(log, 9, 14)
    log.note({ kind: 'pause', seconds: 14, isPlaying: false })
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.length).toBeLessThanOrEqual(2)
    expect(sent.at(-1)?.position).toBe(14)
    const played = sent.flatMap(({ segments }) => segments).reduce((sum, [from, to]) => sum + to - from, 0)
    expect(played).toBe(14)
    expect(isStepFinished(log.store.getState(), { start: 4, end: 14 })).toBe(true)
    expect(isStepFinished(log.store.getState(), { start: 8, end: 24 })).toBe(false)
  })

  test('an account brings at once what this device had seen and not brought without it', async () => {
    await play(openPage(), 0, 9)
    close()
    sent.length = 0
    answer = { kind: 'taken', progress: { seen: [[0, 9]], percent: 9, isCompleted: false, position: 9 } }
    const log = openPage('user_1')
    await vi.advanceTimersByTimeAsync(0)
    const played = sent.flatMap(({ segments }) => segments).reduce((sum, [from, to]) => sum + to - from, 0)
    expect(played).toBe(9)
    expect(percentOf(log.store.getState(), 100)).toBe(9)
  })

  test('reports ten minutes in ten reports, as the bill of a month counts them', async () => {
    answer = { kind: 'taken', progress: NOTHING }
    const log = openPage()
    await play(log, 0, 600)
    log.note({ kind: 'end', seconds: 600, isPlaying: false })
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.flatMap(({ segments }) => segments).reduce((sum, [from, to]) => sum + to - from, 0)).toBe(600)
    expect(sent).toHaveLength(10)
  })

  test('reports an hour with a pause every six minutes in so few reports that an office of 200 shares a day’s limit', {
    tags: 'attack-13',
  }, async () => {
    answer = { kind: 'taken', progress: NOTHING }
    const log = openPage()
    for (let fromS = 0; fromS < 3_600; fromS += 360) {
      await play(log, fromS, fromS + 360)
      log.note({ kind: 'pause', seconds: fromS + 360, isPlaying: false })
      await vi.advanceTimersByTimeAsync(0)
    }
    const played = sent.flatMap(({ segments }) => segments).reduce((sum, [from, to]) => sum + to - from, 0)
    expect(played).toBe(3_600)
    expect(sent.length).toBeLessThanOrEqual(44)
  })

  test('sends when the tab is hidden, and counts nothing that plays there', async () => {
    const log = openPage()
    await play(log, 0, 3)
    hide('hidden')
    expect(sent).toMatchObject([{ segments: [[0, 3]] }])
    await play(log, 3, 20)
    hide('visible')
    expect(percentOf(log.store.getState(), 100)).toBe(3)
  })

  test('remembers over a reload without a connection, and sends from the page after', async () => {
    const log = openPage()
    await play(log, 0, 6)
    window.dispatchEvent(new Event('pagehide'))
    close()
    sent.length = 0
    answer = { kind: 'taken', progress: { seen: [[0, 6]], percent: 6, isCompleted: true, position: 6 } }
    const next = openPage()
    expect(percentOf(next.store.getState(), 100)).toBe(6)
    expect(next.store.getState().isCompleted).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.flatMap(({ segments }) => segments)).toEqual([[0, 6]])
    expect(next.store.getState().isCompleted).toBe(true)
    expect(openPage().store.getState().isCompleted).toBe(true)
  })

  test('is completed for as long as the server says so', async () => {
    const progress = { seen: [[0, 3]] as [number, number][], percent: 3, isCompleted: true, position: 3 }
    answer = { kind: 'taken', progress }
    const log = openPage()
    await play(log, 0, 3)
    log.note({ kind: 'pause', seconds: 3, isPlaying: false })
    await vi.advanceTimersByTimeAsync(0)
    expect(log.store.getState().isCompleted).toBe(true)
    answer = { kind: 'taken', progress: { ...progress, isCompleted: false } }
    await play(log, 3, 5)
    expect(log.store.getState().isCompleted).toBe(true)
    log.note({ kind: 'pause', seconds: 5, isPlaying: false })
    await vi.advanceTimersByTimeAsync(0)
    expect(log.store.getState().isCompleted).toBe(false)
  })

  test('keeps one random id of the learner in this browser, and nothing that identifies them', async () => {
    for (let visit = 0; visit < 2; visit++) {
      const log = openPage()
      await play(log, 0, 3)
      close()
    }
    expect(requests.map(({ learner }) => learner)).toEqual([undefined, 'learner 1'])
    expect(Object.keys(sent[0] ?? {}).toSorted()).toEqual(
      ['moduleId', 'session', 'seq', 'segments', 'position', 'playedAtMs'].toSorted(),
    )
  })

  test('starts its session when playback begins, and before that for an account only', async () => {
    const log = openPage()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(requests).toEqual([])
    log.note({ kind: 'play', seconds: 0, isPlaying: true })
    expect(requests).toHaveLength(1)
    openPage('user_1')
    expect(requests).toHaveLength(2)
  })

  test('lets an account take over what this device has seen without it', async () => {
    const visit = openPage()
    await play(visit, 0, 6)
    close()
    const log = openPage('user_1', { seen: [[0, 6]], percent: 6, isCompleted: false, position: 6 })
    await vi.advanceTimersByTimeAsync(0)
    expect(requests).toContainEqual(expect.objectContaining({ claim: 'learner 1' }))
    expect(percentOf(log.store.getState(), 100)).toBe(6)
    expect(Object.keys(localStorage).filter((key) => /anyone|adapt_learner/.test(key))).toEqual([])
    close()
    const after = openPage()
    expect(percentOf(after.store.getState(), 100)).toBe(0)
    after.note({ kind: 'play', seconds: 0, isPlaying: true })
    expect(requests.at(-1)?.learner).toBeUndefined()
  })

  test('shows what two tabs have seen together', async () => {
    const [one, other] = [openPage(), openPage()]
    await play(one, 0, 6)
    one.note({ kind: 'pause', seconds: 6, isPlaying: false })
    await play(other, 50, 56)
    other.note({ kind: 'pause', seconds: 56, isPlaying: false })
    expect(other.store.getState().seen).toEqual([
      [0, 6],
      [50, 56],
    ])
  })

  test('works where the browser keeps nothing', async () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError')
    })
    const log = openPage()
    await play(log, 0, 3)
    log.note({ kind: 'pause', seconds: 3, isPlaying: false })
    expect(sent).toHaveLength(1)
    expect(percentOf(log.store.getState(), 100)).toBe(3)
  })
})
