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
  /** The person whose device it was when this was played; null for nobody's, as in sessions of earlier versions. */
  personId?: string | null
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
  readonly readPerson: () => string | null
  /** What is thought to lie there. */
  readonly #stored = new Set<string>()

  /**
   * @param who learners of one browser do not send for each other
   * @param readPerson whose device it is right now, by a link, a code or a sign-in
   */
  constructor(who: string, readPerson: () => string | null = () => null) {
    this.#prefix = `adapt_played:${who}:`
    this.readPerson = readPerson
  }

  /** A session that is not started would become that of whoever's device it is now; one that is says whose it is. */
  maySend({ token, personId = null }: KeptSession): boolean {
    return token !== null || personId === this.readPerson()
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

  /**
   * Gives a module's sessions of another learner of this browser to this one: they are the same person. What is known to
   * be another person's stays.
   */
  adopt(from: string, moduleId: string): void {
    const others = new KeptSessions(from)
    for (const key of listStored(others.#prefix)) {
      const session = others.#read(key)
      if (session?.moduleId !== moduleId || session.personId) continue
      this.keep({ ...session, token: null })
      keepStored(key, null)
    }
  }

  /** A session whose page has gone or crashed; null when there is none but those to leave alone. */
  findLeft(except: ReadonlySet<string>): KeptSession | null {
    for (const key of listStored(this.#prefix)) {
      const session = this.#read(key)
      if (session === null || except.has(session.sessionId) || !this.maySend(session)) continue
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
