import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionAnswer, SessionRequest } from '#contract/learning.ts'
import { toWholeSeconds } from '#contract/time/time-ranges.ts'
import { type KeptSession, KeptSessions } from './kept-session.ts'
import { forgetLearned, isStepFinished, keepLearned, type Learned, percentOf, readLearned } from './learned.ts'
import { keepAccountLearner, keepVisitor, readVisitor } from './learner-id.ts'
import { isWatched, type PlaybackEvent, PlayTracker } from './play-tracker.ts'
import { type OutboxDeps, ReportOutbox, type StartOutcome } from './report-outbox.ts'

/** What a crash may lose. */
const KEEP_EVERY_MS = 2_000
/**
 * How often a page reports: more rarely the longer it plays, since all of an office share a limit of the day. Reports are
 * most of what is written in the database; a pause, the end and a hidden page do not wait for the next one.
 */
const SEND_MS = { least: 30_000, most: 240_000, shareOfOpen: 1 / 4 } as const

/** The time between two reports of a page that is open for so long. Milliseconds. */
export function sendEveryMs(openMs: number, leastMs: number = SEND_MS.least): number {
  return Math.min(SEND_MS.most, Math.max(leastMs, openMs * SEND_MS.shareOfOpen))
}

export interface LearningDeps extends Pick<OutboxDeps, 'moduleId' | 'stepsVersion' | 'send'> {
  /** Whose progress it is, among those who use this browser: a user id, or {@link ANYONE}. */
  who: string
  /** Whose device it is; left out where the account alone says who learns. */
  readPerson?: () => string | null
  /** Starts a session. Never rejects. */
  start: (moduleId: string, request: SessionRequest) => Promise<StartOutcome>
}

/** A learner without an account. */
export const ANYONE = 'anyone'

/** Keeps account of one opened page: what is played, what of it has been sent, and what there is to show. */
export class LearningLog {
  readonly #deps: LearningDeps
  readonly #tracker = new PlayTracker()
  readonly #outbox: ReportOutbox
  readonly #sessions: KeptSessions
  readonly store: StoreApi<Learned>
  /** Comes with the log: before it, nothing is known to judge. */
  readonly judge = { percentOf, isStepFinished }
  #positionS = 0
  #keptAtMs = 0
  #sentAtMs = 0
  readonly #openedAtMs = performance.now()

  constructor(deps: LearningDeps) {
    const { who, readPerson } = deps
    this.#sessions = new KeptSessions(who, readPerson)
    this.#deps = deps
    this.store = createStore(() => readLearned(deps))
    this.#outbox = new ReportOutbox({
      ...deps,
      sessions: this.#sessions,
      start: (page) => this.#start(page),
      onStart: (answer, of) => this.#onStart(answer, of),
      onProgress: (progress) => this.#learn(progress),
    })
  }

  /** Takes note of what happens to the video. */
  readonly note = (event: PlaybackEvent): void => {
    const nowMs = performance.now()
    this.#positionS = event.seconds
    if (event.isPlaying) this.#outbox.begin()
    this.#tracker.note(event, { atMs: nowMs, isWatched: isWatched() })
    const isOver = event.kind === 'pause' || event.kind === 'end'
    if (isOver || nowMs - this.#keptAtMs >= KEEP_EVERY_MS) this.#keep(nowMs)
    if (!isOver && nowMs - this.#sentAtMs < sendEveryMs(nowMs - this.#openedAtMs)) return
    this.#sentAtMs = nowMs
    this.#outbox.flush()
  }

  /** Sends what earlier pages have left, and listens for the end of this one. @returns ends that */
  readonly open = (): (() => void) => {
    const over = new AbortController()
    const { signal } = over
    this.#outbox.flush()
    // What this browser remembers is shown until the server has said what the account has seen elsewhere.
    if (this.#deps.who !== ANYONE) this.#outbox.begin()
    document.addEventListener('visibilitychange', () => this.#onVisibility(), { signal })
    window.addEventListener('pagehide', () => this.#leave(), { signal })
    window.addEventListener('online', () => this.#outbox.hurry(), { signal })
    return () => {
      over.abort()
      this.#leave()
    }
  }

  #onVisibility(): void {
    if (isWatched()) return
    this.#tracker.rest()
    this.#keep(performance.now())
    this.#outbox.flush()
  }

  #leave(): void {
    this.#tracker.rest()
    this.#keep(performance.now())
    this.#outbox.leave()
  }

  #keep(nowMs: number): void {
    this.#keptAtMs = nowMs
    const played = this.#tracker.take()
    if (played.length === 0) return
    this.#outbox.add(played, this.#positionS)
    this.#learn({ seen: toWholeSeconds(played, Number.POSITIVE_INFINITY), isCompleted: null })
  }

  /** An account takes over what this device has seen of the module without it. */
  #start({ moduleId, stepsVersion, sessionId: page }: KeptSession): Promise<StartOutcome> {
    const visitor = readVisitor(moduleId)
    const own = this.#deps.who === ANYONE ? { learner: visitor } : { claim: visitor }
    return this.#deps.start(moduleId, { page, stepsVersion, ...own })
  }

  #onStart({ hasAccount, learner, progress }: SessionAnswer, moduleId: string): void {
    keepVisitor(moduleId, hasAccount ? null : learner)
    if (hasAccount) {
      this.#sessions.adopt(ANYONE, moduleId)
      forgetLearned({ who: ANYONE, moduleId })
      this.#outbox.flush()
    } else keepAccountLearner(null)
    if (moduleId === this.#deps.moduleId) this.#learn(progress)
  }

  #learn({ seen, isCompleted }: Pick<Learned, 'seen'> & { isCompleted: boolean | null }): void {
    const before = this.store.getState()
    this.store.setState(keepLearned(this.#deps, { before, seen, isCompleted }))
  }
}
