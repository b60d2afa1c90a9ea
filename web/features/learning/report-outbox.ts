import type { LearnerProgress, LearningReport, SessionAnswer } from '#contract/learning.ts'
import { REPORT_SEGMENTS_MAX, RESTORABLE_DAYS } from '#contract/limits.ts'
import { Courier } from '#web/lib/courier.ts'
import { hasMore, type KeptSession, type KeptSessions, type Segment } from './kept-session.ts'
import { makeRandomId } from './learner-id.ts'

/** What became of a report. */
export type SendOutcome =
  | { kind: 'taken'; progress: LearnerProgress }
  /** The server will never take it. */
  | { kind: 'refused' }
  /** Its module is not there, but may be restored, or shared again. */
  | { kind: 'missing' }
  /** Its session has to be started again. */
  | { kind: 'expired' }
  /** No answer, or one that asks to come again. */
  | { kind: 'later'; afterMs: number }

/** What became of starting a session. */
export type StartOutcome = { kind: 'started'; answer: SessionAnswer } | Exclude<SendOutcome, { kind: 'taken' }>

export interface OutboxDeps extends Pick<KeptSession, 'moduleId' | 'stepsVersion'> {
  sessions: KeptSessions
  /** Never rejects. */
  start: (page: KeptSession) => Promise<StartOutcome>
  onStart: (answer: SessionAnswer, moduleId: string) => void
  /** Never rejects. */
  send: (report: LearningReport) => Promise<SendOutcome>
  onProgress: (progress: LearnerProgress) => void
}

/** After which a module of the page that was missing is asked for once more. */
const ASIDE_MS = 60_000
/** A deleted module can be restored for this long. */
const MISSING_KEPT_MS = RESTORABLE_DAYS * 24 * 60 * 60_000

/**
 * Brings what was played to the server: one report at a time, each under a number of its own, again until it is
 * answered. What pages before this one could not send goes as well.
 */
export class ReportOutbox extends Courier<KeptSession, SendOutcome> {
  readonly #deps: OutboxDeps
  #own: KeptSession
  /** Ids of sessions whose module is not there: its own rests for a minute, others are left to the next page. */
  readonly #missing = new Set<string>()
  readonly #starting = new Map<KeptSession, Promise<StartOutcome>>()
  /** Session that this page has tried to start when it began to play; after that its reports do. */
  #begun: KeptSession | null = null

  constructor(deps: OutboxDeps) {
    super()
    this.#deps = deps
    this.#own = openSession(deps)
  }

  /** Starts this page's session, once: what is played is held against the time since then. */
  begin(): void {
    this.#renew()
    if (this.#begun === this.#own || this.#own.token !== null) return
    this.#begun = this.#own
    void this.#start(this.#own)
  }

  /** Keeps what was played; {@link flush} sends it. */
  add(segments: readonly Segment[], position: number): void {
    if (segments.length === 0) return
    this.#renew()
    for (const [from, to] of segments) {
      const last = this.#own.waiting.at(-1)
      if (last?.[1] === from) last[1] = to
      else this.#own.waiting.push([from, to])
    }
    this.#own.position = position
    this.#own.playedAtMs = Date.now()
    this.#deps.sessions.keep(this.#own)
  }

  /** Leaves unsent reports to the next page when this one closes. A page that comes back starts another session. */
  leave(): void {
    this.flush()
    this.rest()
    this.#own.isLeft = true
    this.#deps.sessions.keep(this.#own)
    this.#own = openSession(this.#deps)
  }

  /** Another page may have sent its session, and the device may be another person's by now. */
  #renew(): void {
    const { sessions } = this.#deps
    if (sessions.isTaken(this.#own) || !sessions.maySend(this.#own)) this.#own = openSession(this.#deps)
  }

  protected override settle(session: KeptSession, outcome: SendOutcome): number | null {
    if (outcome.kind === 'expired') {
      session.token = null
      this.#deps.sessions.keep(session)
      return 0
    }
    if (outcome.kind === 'later') return outcome.afterMs
    if (outcome.kind === 'missing' && mayComeBack(session)) this.#setAside(session)
    else this.#giveUp(session)
    if (outcome.kind === 'taken') session.missingSinceMs = null
    this.#deps.sessions.keep(session)
    if (outcome.kind === 'taken' && session.moduleId === this.#deps.moduleId) this.#deps.onProgress(outcome.progress)
    return null
  }

  /** Gives up a report, or all of them where not even their session can be started. */
  #giveUp(session: KeptSession): void {
    session.sent = null
    if (session.token === null) session.waiting.length = 0
  }

  protected override async bring(session: KeptSession): Promise<SendOutcome> {
    if (session.token === null) {
      const started = await this.#start(session)
      if (started.kind !== 'started') return started
    }
    return this.#deps.send(this.#take(session))
  }

  /** Begun only once at a time: {@link begin} and a report may ask for it together. */
  #start(session: KeptSession): Promise<StartOutcome> {
    const running = this.#starting.get(session)
    if (running !== undefined) return running
    const starting = this.#deps.start(session).then((outcome) => {
      this.#starting.delete(session)
      if (outcome.kind === 'started') {
        session.token = outcome.answer.session
        this.#deps.onStart(outcome.answer, session.moduleId)
      }
      return outcome
    })
    this.#starting.set(session, starting)
    return starting
  }

  protected override findNext(): KeptSession | null {
    const { sessions } = this.#deps
    const isOwnNext = hasMore(this.#own) && !this.#missing.has(this.#own.sessionId) && sessions.maySend(this.#own)
    return isOwnNext ? this.#own : sessions.findLeft(this.#missing)
  }

  #take(session: KeptSession): LearningReport {
    if (session.sent === null) {
      session.seq += 1
      const { waiting, position, playedAtMs } = session
      session.sent = { segments: waiting.splice(0, REPORT_SEGMENTS_MAX), position, playedAtMs }
    }
    this.#deps.sessions.keep(session)
    const { moduleId, token, seq } = session
    return { moduleId, session: token ?? '', seq, ...session.sent }
  }

  /** Leaves a session whose module is missing alone: its own for a minute, others until the next page. */
  #setAside(session: KeptSession): void {
    this.#missing.add(session.sessionId)
    setTimeout(() => {
      if (session !== this.#own) return
      this.#missing.delete(session.sessionId)
      this.flush()
    }, ASIDE_MS)
  }
}

/** Notes when a module was first found missing. */
function mayComeBack(session: KeptSession): boolean {
  session.missingSinceMs ??= Date.now()
  return Date.now() - session.missingSinceMs <= MISSING_KEPT_MS
}

function openSession({ moduleId, stepsVersion, sessions }: OutboxDeps): KeptSession {
  const sessionId = makeRandomId()
  return {
    moduleId,
    stepsVersion,
    sessionId,
    personId: sessions.readPerson(),
    token: null,
    seq: 0,
    sent: null,
    waiting: [],
    position: 0,
    isLeft: false,
    keptAtMs: 0,
    missingSinceMs: null,
  }
}
