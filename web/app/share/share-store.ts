import { createStore } from 'zustand/vanilla'
import { MODULES_BACKOFF_MS, MODULES_FETCH_ATTEMPTS, STATUS_POLL_MS } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { ShareAnswer, SharedModule } from '#contract/share.ts'
import { SHARE_DATA_ID, type SharePageData } from '#contract/share-page.ts'
import { askServer } from './ask-server.ts'
import { watchModule } from './watch-module.ts'

/**
 * This page trusts its own server's answers after a look at their shape: the contract's schemas would be half of all
 * its code.
 */
type ShareOutcome = { kind: 'found'; module: SharedModule } | { kind: 'missing' } | { kind: 'failed' }

/**
 * Asks for a module as it is right now. Never throws.
 * @param language the page's own, as the server wrote it; empty for the original
 */
export async function loadShare(moduleId: string, language = document.documentElement.lang): Promise<ShareOutcome> {
  try {
    const answer = await askServer(`/api/share/${encodeURIComponent(moduleId)}?lang=${language}`)
    if ([403, 404, 410].includes(answer.status)) return { kind: 'missing' }
    const body = answer.ok ? ((await answer.json()) as Partial<ShareAnswer>) : {}
    return Array.isArray(body.module?.steps) ? { kind: 'found', module: body.module } : { kind: 'failed' }
  } catch {
    // No answer, or one that is not JSON: both may pass.
    return { kind: 'failed' }
  }
}

/** A module can send several changes a second; it is asked for again at most this often. */
const REFRESH_EVERY_MS = 1_000
/** As long as the edge may keep an answer: a person who comes back to the page later sees the current state. */
const STALE_AFTER_MS = 60_000

export type ShareState =
  | { kind: 'loading' }
  | { kind: 'shown'; module: SharedModule }
  /** `wasShown`: it went while the page showed it, because it was taken back. */
  | { kind: 'missing'; wasShown: boolean }
  | { kind: 'failed'; isRetrying: boolean }

/** Holds the state of the share page: updated by the module's socket while the module is made, and by polls. */
export class ShareStore {
  readonly store = createStore<ShareState>(() => ({ kind: 'loading' }))
  readonly #show = (state: ShareState) => this.store.setState(state, true)
  readonly #moduleId: string
  #isOpen = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopWatching: (() => void) | null = null
  #isLoading = false
  #isWanted = false
  readonly #openedAtMs = Date.now()
  /** Null until the first answer of the server's own. */
  #loadedAtMs: number | null = null
  /** The newest event since the newest answer was asked for. */
  #liveEvent: LiveEvent | null = null

  constructor(moduleId: string, first: SharePageData | null) {
    this.#moduleId = moduleId
    if (first?.module) this.#show({ kind: 'shown', module: first.module })
    else if (first?.status === 404) this.#show({ kind: 'missing', wasShown: false })
  }

  get #state(): ShareState {
    return this.store.getState()
  }

  /** Stays up to date from now on. @returns ends that */
  open(): () => void {
    this.#isOpen = true
    document.addEventListener('visibilitychange', this.#onReturn)
    if (this.#state.kind !== 'loading') this.#resume()
    else if (!this.#isLoading) void this.#load()
    return () => {
      this.#isOpen = false
      document.removeEventListener('visibilitychange', this.#onReturn)
      clearTimeout(this.#timer)
      this.#stopWatching?.()
      this.#stopWatching = null
    }
  }

  readonly retry = (): void => {
    this.#show({ kind: 'failed', isRetrying: true })
    void this.#load()
  }

  /** Looks whether the module is still there: its video could not be loaded. */
  readonly check = (): void => {
    if (this.#state.kind === 'shown' && !this.#isLoading) void this.#load()
  }

  readonly #onReturn = (): void => {
    const isOld = Date.now() - (this.#loadedAtMs ?? this.#openedAtMs) > STALE_AFTER_MS
    if (document.visibilityState === 'visible' && this.#state.kind === 'shown' && isOld) void this.#load()
  }

  async #load(): Promise<void> {
    if (this.#isLoading) {
      this.#isWanted = true
      return
    }
    clearTimeout(this.#timer)
    this.#isLoading = true
    this.#isWanted = false
    this.#liveEvent = null
    this.#take(await this.#ask())
    this.#loadedAtMs = Date.now()
    this.#isLoading = false
    if (this.#isOpen) this.#resume()
  }

  /** A single failure does not hide the training that is already shown, because the next poll follows soon. */
  async #ask() {
    const attempts = this.#state.kind === 'shown' ? 1 : MODULES_FETCH_ATTEMPTS
    for (let attempt = 1; ; attempt++) {
      const outcome = await loadShare(this.#moduleId)
      if (outcome.kind !== 'failed' || attempt >= attempts) return outcome
      await new Promise((resolve) => setTimeout(resolve, MODULES_BACKOFF_MS * attempt))
    }
  }

  #take(outcome: ShareOutcome): void {
    if (outcome.kind === 'missing') this.#show({ kind: 'missing', wasShown: this.#state.kind === 'shown' })
    else if (outcome.kind === 'found') {
      const { status, progress, message } = this.#liveEvent ?? outcome.module
      this.#show({ kind: 'shown', module: { ...outcome.module, status, progress, message } })
    } else if (this.#state.kind !== 'shown') this.#show({ kind: 'failed', isRetrying: false })
  }

  /** As long as the module is being made: listens, and looks every few seconds. */
  #resume(): void {
    clearTimeout(this.#timer)
    if (this.#state.kind !== 'shown' || this.#state.module.status !== 'PROCESSING') {
      this.#stopWatching?.()
      this.#stopWatching = null
      if (this.#isWanted) this.#loadIn(REFRESH_EVERY_MS)
      return
    }
    this.#stopWatching ??= watchModule(this.#moduleId, (event) => this.#receive(event))
    this.#loadIn(this.#isWanted ? REFRESH_EVERY_MS : STATUS_POLL_MS)
  }

  #loadIn(delayMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#load(), delayMs)
  }

  #receive(event: LiveEvent): void {
    if (this.#state.kind !== 'shown') return
    const before = this.#state.module
    const { status, progress, message, stepsVersion } = event
    this.#liveEvent = event
    this.#show({ kind: 'shown', module: { ...before, status, progress, message } })
    const isSame = before.status === status && before.hasVideo && before.stepsVersion === stepsVersion
    if (isSame) return
    if (this.#isLoading) this.#isWanted = true
    else this.#loadIn(Math.max(0, (this.#loadedAtMs ?? 0) + REFRESH_EVERY_MS - Date.now()))
  }
}

/** What the page's HTML brought along; null where it is served without, as while developing. */
export function readPageData(target: Document): SharePageData | null {
  const text = target.getElementById(SHARE_DATA_ID)?.textContent ?? ''
  return text === '' ? null : (JSON.parse(text) as SharePageData)
}

/** Of which module the page is, and how it is to look, by its address. */
export function readPageAddress(pathname: string): Pick<SharePageData, 'look'> & { moduleId: string } {
  const [, place, moduleId = ''] = pathname.split('/')
  return { moduleId, look: place === 'embed' ? 'embed' : 'page' }
}
