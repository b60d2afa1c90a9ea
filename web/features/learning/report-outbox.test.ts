import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LearnerProgress, LearningReport } from '#contract/learning.ts'
import { REPORT_SEGMENTS_MAX } from '#contract/limits.ts'
import { KeptSessions } from './kept-session.ts'
import { ReportOutbox, type SendOutcome, type StartOutcome } from './report-outbox.ts'

const LATER: SendOutcome = { kind: 'later', afterMs: 0 }
const TAKEN: SendOutcome = { kind: 'taken', progress: { seen: [], percent: 0, isCompleted: false, position: 0 } }

const NOTHING: LearnerProgress = { seen: [], percent: 0, isCompleted: false, position: 0 }
const SESSION = { success: true, learner: 'learner', session: '', hasAccount: false, progress: NOTHING } as const

/** Pages whose sessions were asked for, and what the server answers; null where it starts them, named like the page. */
const started: string[] = []
/** Which steps those pages have shown. */
const startedFor: (number | undefined)[] = []
let starting: StartOutcome | null
/** What reached the server, in order. */
const sent: LearningReport[] = []
/** What the server answers. */
let answer: SendOutcome | Promise<SendOutcome>
const progresses: LearnerProgress[] = []
/** Whose device it is. */
let person: string | null

interface Page {
  who?: string
  moduleId?: string
  stepsVersion?: number
}

/** The same browser opens a page. */
function openPage({ who = 'anyone', moduleId = 'm1', stepsVersion = 1 }: Page = {}) {
  return new ReportOutbox({
    moduleId,
    stepsVersion,
    sessions: new KeptSessions(who, () => person),
    start: async ({ sessionId, stepsVersion: shown }) => {
      started.push(sessionId)
      startedFor.push(shown)
      return starting ?? { kind: 'started', answer: { ...SESSION, session: sessionId } }
    },
    onStart: () => {},
    send: async (report) => {
      sent.push(structuredClone(report))
      return answer
    },
    onProgress: (progress) => progresses.push(progress),
  })
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const MISSING: SendOutcome = { kind: 'missing' }
const DAY_MS = 24 * 60 * 60_000

const played = () => sent.flatMap(({ segments }) => segments)

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  sent.length = 0
  progresses.length = 0
  started.length = 0
  startedFor.length = 0
  starting = null
  person = null
  answer = TAKEN
})

afterEach(() => {
  vi.useRealTimers()
})

describe('ReportOutbox', () => {
  test('starts what an earlier page has left for the steps that this one has shown', async () => {
    starting = LATER
    const offline = openPage({ stepsVersion: 1 })
    offline.add([[0, 4]], 4)
    offline.leave()
    await settle()
    starting = null
    startedFor.length = 0
    const page = openPage({ stepsVersion: 2 })
    page.add([[4, 8]], 8)
    page.flush()
    await settle()
    expect(new Set(startedFor)).toEqual(new Set([1, 2]))
  })

  test('says when the last of a report was played, also long after', async () => {
    answer = LATER
    const page = openPage()
    page.add([[0, 4]], 4)
    const playedAtMs = Date.now()
    page.leave()
    await vi.advanceTimersByTimeAsync(DAY_MS)
    answer = TAKEN
    openPage().flush()
    await settle()
    expect(sent.at(-1)).toMatchObject({ segments: [[0, 4]], playedAtMs })
  })

  test('sends played segments under growing numbers, and forgets answered ones', async () => {
    const page = openPage()
    page.add([[0, 4]], 4)
    page.add([[4, 8]], 8)
    page.flush()
    await settle()
    page.add([[20, 25]], 25)
    page.flush()
    await settle()
    expect(sent).toMatchObject([
      { moduleId: 'm1', seq: 1, segments: [[0, 8]], position: 8 },
      { moduleId: 'm1', seq: 2, segments: [[20, 25]], position: 25 },
    ])
    expect(sent[1]?.session).toBe(sent[0]?.session)
    expect(progresses).toHaveLength(2)
    expect(localStorage).toHaveLength(0)
    page.flush()
    await settle()
    expect(sent).toHaveLength(2)
  })

  test('has one report on its way at a time, and sends the rest when that is answered', async () => {
    const first = Promise.withResolvers<SendOutcome>()
    answer = first.promise
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    page.add([[4, 9]], 9)
    page.flush()
    await settle()
    expect(sent).toHaveLength(1)
    answer = TAKEN
    first.resolve(TAKEN)
    await settle()
    expect(sent).toMatchObject([
      { seq: 1, segments: [[0, 4]] },
      { seq: 2, segments: [[4, 9]] },
    ])
  })

  test('sends an unanswered report again unchanged before any later one', async () => {
    answer = LATER
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    page.add([[4, 9]], 9)
    page.flush()
    await settle()
    expect(sent).toHaveLength(1)
    answer = TAKEN
    await vi.advanceTimersByTimeAsync(2_000)
    expect(sent.map(({ seq, segments }) => [seq, segments])).toEqual([
      [1, [[0, 4]]],
      [1, [[0, 4]]],
      [2, [[4, 9]]],
    ])
  })

  test('retries at growing intervals of at most a minute, and at once when the browser is back online', async () => {
    answer = LATER
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(sent.length).toBeGreaterThanOrEqual(4)
    expect(sent.length).toBeLessThanOrEqual(7)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(sent.length).toBeGreaterThan(60)
    const before = sent.length
    page.hurry()
    await settle()
    expect(sent).toHaveLength(before + 1)
  })

  test('waits for as long as the server asks', async () => {
    answer = { kind: 'later', afterMs: 45_000 }
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await vi.advanceTimersByTimeAsync(44_000)
    page.flush()
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sent).toHaveLength(2)
  })

  test('drops a report that the server refuses for good, and sends the next', async () => {
    answer = { kind: 'refused' }
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    expect(localStorage).toHaveLength(0)
    answer = TAKEN
    page.add([[4, 6]], 6)
    page.flush()
    await settle()
    expect(sent).toMatchObject([{ seq: 1 }, { seq: 2, segments: [[4, 6]] }])
  })

  test('leaves unsent reports to the next page, under their own session and number', async () => {
    answer = LATER
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    page.add([[4, 9]], 9)
    page.leave()
    answer = TAKEN
    const next = openPage({ moduleId: 'm2' })
    next.flush()
    await settle()
    expect(sent.slice(-2)).toMatchObject([
      { moduleId: 'm1', seq: 1, segments: [[0, 4]] },
      { moduleId: 'm1', seq: 2, segments: [[4, 9]] },
    ])
    expect(new Set(sent.map(({ session }) => session)).size).toBe(1)
    expect(progresses, 'what another module answers is not shown here').toEqual([])
    expect(localStorage).toHaveLength(0)
  })

  test('keeps what was played of a module that has gone for the next page, and asks once a minute meanwhile', async () => {
    answer = MISSING
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    page.add([[4, 9]], 9)
    page.flush()
    await vi.advanceTimersByTimeAsync(59_000)
    expect(sent).toHaveLength(1)
    page.leave()
    await settle()
    answer = TAKEN
    openPage({ moduleId: 'm2' }).flush()
    await settle()
    expect(sent.map(({ seq, segments }) => [seq, segments])).toEqual([
      [1, [[0, 4]]],
      [1, [[0, 4]]],
      [2, [[4, 9]]],
    ])
    expect(new Set(sent.map(({ session }) => session)).size).toBe(1)
    expect(localStorage).toHaveLength(0)
  })

  test('sends by itself what was played of a module that is there again', async () => {
    answer = MISSING
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(sent).toHaveLength(2)
    answer = TAKEN
    page.add([[4, 9]], 9)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent.map(({ seq, segments }) => [seq, segments])).toEqual([
      [1, [[0, 4]]],
      [1, [[0, 4]]],
      [1, [[0, 4]]],
      [2, [[4, 9]]],
    ])
    expect(localStorage).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(sent).toHaveLength(4)
  })

  test('asks no more for a module that has gone once its page has', async () => {
    answer = MISSING
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    page.leave()
    await settle()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(sent).toHaveLength(1)
  })

  test('does not block other reports for deleted modules, and drops theirs once they cannot be restored', async () => {
    answer = MISSING
    for (const moduleId of ['gone1', 'gone2']) {
      const page = openPage({ moduleId })
      page.add([[0, 4]], 4)
      page.leave()
      await settle()
    }
    sent.length = 0
    const next = openPage()
    next.flush()
    await settle()
    expect(sent.map(({ moduleId }) => moduleId).sort()).toEqual(['gone1', 'gone2'])
    answer = TAKEN
    next.add([[0, 4]], 4)
    next.flush()
    await settle()
    expect(sent).toHaveLength(3)
    expect(localStorage).toHaveLength(2)
    answer = MISSING
    await vi.advanceTimersByTimeAsync(7 * DAY_MS + 1)
    openPage().flush()
    await settle()
    expect(localStorage).toHaveLength(0)
  })

  test('takes over the reports of a crashed page, but not of an open one', async () => {
    answer = LATER
    const crashed = openPage()
    crashed.add([[0, 4]], 4)
    const other = openPage()
    other.flush()
    await settle()
    expect(sent).toEqual([])
    answer = TAKEN
    await vi.advanceTimersByTimeAsync(121_000)
    other.flush()
    await settle()
    expect(played()).toEqual([[0, 4]])
    // It was only asleep: what it plays now belongs to another session, and nothing is sent twice.
    crashed.add([[4, 6]], 6)
    crashed.flush()
    await settle()
    expect(played()).toEqual([
      [0, 4],
      [4, 6],
    ])
    expect(sent[1]?.session).not.toBe(sent[0]?.session)
  })

  test('gives two tabs sessions of their own, that do not touch each other', async () => {
    const [one, other] = [openPage(), openPage()]
    one.add([[0, 4]], 4)
    other.add([[50, 54]], 54)
    one.flush()
    other.flush()
    await settle()
    expect(sent).toMatchObject([
      { seq: 1, segments: [[0, 4]] },
      { seq: 1, segments: [[50, 54]] },
    ])
    expect(sent[0]?.session).not.toBe(sent[1]?.session)
  })

  test('never sends what another person played in this browser', async () => {
    const page = openPage({ who: 'user_1' })
    page.add([[0, 4]], 4)
    answer = LATER
    page.leave()
    const next = openPage({ who: 'user_2' })
    answer = TAKEN
    next.flush()
    await settle()
    expect(sent).toHaveLength(1)
  })

  test('starts another session when the page comes back after it was left', async () => {
    const page = openPage()
    page.add([[0, 4]], 4)
    page.leave()
    await settle()
    page.add([[4, 8]], 8)
    page.flush()
    await settle()
    expect(sent).toMatchObject([{ seq: 1 }, { seq: 1, segments: [[4, 8]] }])
    expect(sent[0]?.session).not.toBe(sent[1]?.session)
  })

  test.each([
    ['refused', () => vi.spyOn(window, 'localStorage', 'get')],
    ['full', () => vi.spyOn(Storage.prototype, 'setItem')],
  ])('sends from memory where storage is %s', async (what, spy) => {
    const storage = spy().mockImplementation(() => {
      throw new Error(what)
    })
    answer = LATER
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    answer = TAKEN
    await vi.advanceTimersByTimeAsync(2_000)
    page.add([[4, 5]], 5)
    page.flush()
    await settle()
    expect(sent.map(({ seq }) => seq)).toEqual([1, 1, 2])
    storage.mockRestore()
  })

  test('starts one session when playback begins, and the reports wait for it', async () => {
    const page = openPage()
    for (let times = 0; times < 3; times++) page.begin()
    page.add([[0, 4]], 4)
    page.flush()
    expect(sent).toEqual([])
    await settle()
    expect(started).toHaveLength(1)
    expect(sent).toMatchObject([{ session: started[0], seq: 1 }])
  })

  test('keeps what is played while no session can be started, and starts it then', async () => {
    starting = { kind: 'later', afterMs: 0 }
    const page = openPage()
    page.begin()
    page.add([[0, 4]], 4)
    page.flush()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual([])
    page.leave()
    starting = null
    openPage({ moduleId: 'm2' }).flush()
    await settle()
    expect(sent).toMatchObject([{ moduleId: 'm1', seq: 1, segments: [[0, 4]] }])
    expect(localStorage).toHaveLength(0)
  })

  test('gives up what is played where no session is ever started', async () => {
    starting = { kind: 'refused' }
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    expect([sent.length, started.length, localStorage.length]).toEqual([0, 1, 0])
  })

  test('starts a session that is not valid any more again, and sends the same report', async () => {
    answer = { kind: 'expired' }
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    answer = TAKEN
    await vi.advanceTimersByTimeAsync(2_000)
    expect(new Set(started).size).toBe(1)
    expect(started).toHaveLength(2)
    expect(sent.map(({ seq, segments }) => [seq, segments])).toEqual([
      [1, [[0, 4]]],
      [1, [[0, 4]]],
    ])
  })

  test.each([
    ['was never started', LATER, null],
    ['has to be started again', null, { kind: 'expired' } as const],
  ])('leaves a session of the last person of a shared device that %s to them', async (_, start, refusal) => {
    person = 'anna'
    starting = start
    answer = refusal ?? TAKEN
    const annas = openPage()
    annas.add([[0, 4]], 4)
    annas.flush()
    await settle()
    annas.leave()
    await settle()
    ;[person, starting, answer] = ['bo', null, TAKEN]
    started.length = sent.length = 0
    const bos = openPage()
    bos.add([[8, 9]], 9)
    bos.flush()
    await vi.advanceTimersByTimeAsync(200_000)
    expect(played()).toEqual([[8, 9]])
    person = 'anna'
    openPage().flush()
    await settle()
    expect(played()).toEqual([
      [8, 9],
      [0, 4],
    ])
  })

  test('starts nothing that was played before somebody else began at a shared device, also in a page that is open', async () => {
    person = 'anna'
    starting = LATER
    const page = openPage()
    page.add([[0, 4]], 4)
    page.flush()
    await settle()
    ;[person, starting] = ['bo', null]
    page.begin()
    page.add([[8, 9]], 9)
    page.hurry()
    await vi.advanceTimersByTimeAsync(200_000)
    expect(played()).toEqual([[8, 9]])
  })

  test('takes over what another learner of this browser could not send', async () => {
    answer = LATER
    for (const moduleId of ['m1', 'm2']) {
      const page = openPage({ moduleId })
      page.add([[0, 4]], 4)
      page.leave()
      await settle()
    }
    answer = TAKEN
    sent.length = 0
    new KeptSessions('user_1').adopt('anyone', 'm1')
    openPage({ who: 'user_1', moduleId: 'm1' }).flush()
    await settle()
    expect(sent).toMatchObject([{ moduleId: 'm1', seq: 1 }])
    expect(localStorage).toHaveLength(1)
  })

  test('sends many pieces in several reports', async () => {
    const page = openPage()
    page.add(
      Array.from({ length: REPORT_SEGMENTS_MAX + 1 }, (_, at) => [at * 3, at * 3 + 1]),
      9,
    )
    page.flush()
    await settle()
    expect(sent.map(({ segments }) => segments.length)).toEqual([REPORT_SEGMENTS_MAX, 1])
  })

  test('ignores invalid entries in the storage', async () => {
    for (const text of ['{', '[]', '{"waiting":3}', 'null'])
      localStorage.setItem(`adapt_played:anyone:m1:${text}`, text)
    openPage().flush()
    await settle()
    expect(sent).toEqual([])
  })
})
