import type { LearnerProgress } from '#contract/learning.ts'
import { toWholeSeconds } from '#contract/time-ranges.ts'
import { KeptSessions } from './kept-session.ts'
import { keepLearned, type Learned, readLearned } from './learned.ts'
import { findStorage, readLearnerId } from './learner-id.ts'
import { type PlaybackEvent, PlayTracker } from './play-tracker.ts'
import { type OutboxDeps, ReportOutbox } from './report-outbox.ts'

/** What a crash may lose. */
const KEEP_EVERY_MS = 2_000
const SEND_EVERY_MS = 10_000

export interface LearningDeps extends Pick<OutboxDeps, 'moduleId' | 'send'> {
  /** Whose progress it is, among those who use this browser. */
  who: string
  /** What the server knows already; rejects where it cannot be asked. */
  load?: ((learnerId: string) => Promise<LearnerProgress>) | undefined
}

/** Keeps account of one opened page: what is played, what of it has been sent, and what there is to show. */
export class LearningLog {
  readonly #deps: LearningDeps
  readonly #storage = findStorage()
  readonly #learnerId = readLearnerId(this.#storage)
  readonly #tracker = new PlayTracker()
  readonly #outbox: ReportOutbox
  readonly #listeners = new Set<() => void>()
  #learned: Learned
  #positionS = 0
  #keptAtMs = 0
  #sentAtMs = 0

  constructor(deps: LearningDeps) {
    const { moduleId, who, send } = deps
    this.#deps = deps
    this.#learned = readLearned(this.#storage, deps)
    this.#outbox = new ReportOutbox({
      moduleId,
      send,
      learnerId: this.#learnerId,
      sessions: new KeptSessions(this.#storage, who),
      onProgress: (progress) => this.#learn(progress),
    })
  }

  readonly getState = (): Learned => this.#learned

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes note of what happens to the video. */
  readonly note = (event: PlaybackEvent): void => {
    const nowMs = performance.now()
    this.#positionS = event.seconds
    this.#tracker.note(event, { atMs: nowMs, isWatched: isWatched() })
    const isOver = event.kind === 'pause' || event.kind === 'end'
    if (isOver || nowMs - this.#keptAtMs >= KEEP_EVERY_MS) this.#keep(nowMs)
    if (isOver || nowMs - this.#sentAtMs >= SEND_EVERY_MS) this.#send(nowMs)
  }

  /** Sends what earlier pages have left, and listens for the end of this one. @returns ends that */
  readonly open = (): (() => void) => {
    const over = new AbortController()
    const { signal } = over
    this.#outbox.flush()
    this.#ask()
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

  #send(nowMs: number): void {
    this.#sentAtMs = nowMs
    this.#outbox.flush()
  }

  #ask(): void {
    const { load } = this.#deps
    // What this browser remembers is shown meanwhile; the answer to the next report says the same.
    if (load !== undefined)
      load(this.#learnerId).then(
        (progress) => this.#learn(progress),
        () => {},
      )
  }

  #learn({ seen, isCompleted }: Pick<Learned, 'seen'> & { isCompleted: boolean | null }): void {
    this.#learned = keepLearned(this.#storage, this.#deps, { before: this.#learned, seen, isCompleted })
    for (const listener of this.#listeners) listener()
  }
}

/** A picture in the picture is seen while its tab is not. */
function isWatched(): boolean {
  return document.visibilityState === 'visible' || Boolean(document.pictureInPictureElement)
}
