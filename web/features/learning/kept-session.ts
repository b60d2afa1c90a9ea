import { keepStored, listStored, parseStored } from '#web/lib/browser-state.ts'

/** From where to where a video was played, seconds. */
export type Segment = [from: number, to: number]

/** What one opened page has played of a module and the server does not know for sure. */
export interface KeptSession {
  moduleId: string
  /** Of the page that has played it. */
  stepsVersion?: number | undefined
  /** Made here, one per opened page. */
  sessionId: string
  /** What the server has signed for it; null until it is started. */
  token: string | null
  /** Number of the last report that was begun. */
  seq: number
  /** That report, while it is not known to have arrived: it goes again as it was, under its number. */
  sent: { segments: Segment[]; position: number; playedAtMs?: number | undefined } | null
  /** Played since. */
  waiting: Segment[]
  /** Where the video stands, seconds. */
  position: number
  /** When the last of it was played. */
  playedAtMs?: number
  /** Whether its page is gone, so that another may send it. */
  isLeft: boolean
  keptAtMs: number
  /** When its module was first not there; null while it is. */
  missingSinceMs: number | null
}

/** A page that crashed says no goodbye; one that lives keeps what it plays every few seconds. */
const CRASHED_AFTER_MS = 120_000
/** Bounds what hours of seeking without a connection leave behind: storage holds some five megabytes. */
const WAITING_MAX = 1_000

/** Sessions of one learner in the storage of the browser, which may be full, refused or emptied at any time. */
export class KeptSessions {
  readonly #prefix: string
  /** What is thought to lie there. */
  readonly #stored = new Set<string>()

  /** @param who learners of one browser do not send for each other */
  constructor(who: string) {
    this.#prefix = `adapt_played:${who}:`
  }

  /** Keeps a session, or removes one that has nothing left to send. */
  keep(session: KeptSession): void {
    const key = this.#keyOf(session)
    session.keptAtMs = Date.now()
    session.waiting.splice(0, session.waiting.length - WAITING_MAX)
    this.#stored.delete(key)
    const hasStored = keepStored(key, hasMore(session) ? JSON.stringify(session) : null)
    if (hasStored && hasMore(session)) this.#stored.add(key)
  }

  /** Whether another page has taken it over and sent it. */
  isTaken(session: KeptSession): boolean {
    const key = this.#keyOf(session)
    return this.#stored.has(key) && this.#read(key) === null
  }

  /** Gives a module's sessions of another learner of this browser to this one: they are the same person. */
  adopt(from: string, moduleId: string): void {
    const others = new KeptSessions(from)
    for (const key of listStored(others.#prefix)) {
      const session = others.#read(key)
      if (session?.moduleId !== moduleId) continue
      this.keep({ ...session, token: null })
      keepStored(key, null)
    }
  }

  /** A session whose page has gone or crashed; null when there is none but those to leave alone. */
  findLeft(except: ReadonlySet<string>): KeptSession | null {
    for (const key of listStored(this.#prefix)) {
      const session = this.#read(key)
      if (session === null || except.has(session.sessionId)) continue
      if (session.isLeft || Date.now() - session.keptAtMs > CRASHED_AFTER_MS) return session
    }
    return null
  }

  #read(key: string): KeptSession | null {
    const session = parseStored(key) as Partial<KeptSession> | null
    return Array.isArray(session?.waiting) && session.sessionId !== undefined ? (session as KeptSession) : null
  }

  #keyOf({ moduleId, sessionId }: KeptSession): string {
    return `${this.#prefix}${moduleId}:${sessionId}`
  }
}

/** Whether there is something that the server has not confirmed. */
export function hasMore({ sent, waiting }: KeptSession): boolean {
  return sent !== null || waiting.length > 0
}
