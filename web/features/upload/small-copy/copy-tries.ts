import { keepStored, parseStored } from '#web/lib/browser-state.ts'

const TRIES_KEY = 'adapt_small_copies'
/** A browser that cannot, or that does not survive it: making begins anew so often in a browser. */
export const TRIES_MAX = 3
/** Of the trainings that were tried last. */
const KEPT_MAX = 200

/** The newest last. */
type Tries = readonly (readonly [moduleId: string, count: number])[]

/** Counts that making a training's small copy begins. @returns whether it may: not after too many times */
export function noteTry(moduleId: string): boolean {
  const before = readTries().find(([id]) => id === moduleId)?.[1] ?? 0
  if (before >= TRIES_MAX) return false
  write([...others(moduleId), [moduleId, before + 1]])
  return true
}

/**
 * Watches a try that {@link noteTry} has counted: one whose page is left, closed, or ended by the system while nobody
 * sees it, counts for nothing, nor does one that is aborted.
 * @returns ends watching; a try that has come to its end counts, also of a page that nobody sees
 */
export function watchTry(moduleId: string, signal: AbortSignal): () => void {
  const watch = new AbortController()
  let isCounted = true
  function count(counts: boolean) {
    if (counts === isCounted) return
    isCounted = counts
    const before = readTries().find(([id]) => id === moduleId)?.[1] ?? 0
    const now = Math.max(0, before + (counts ? 1 : -1))
    write(now === 0 ? others(moduleId) : [...others(moduleId), [moduleId, now]])
  }
  // Phones end hidden pages without a word, and browsers put them to sleep or discard them.
  const follow = () => count(document.visibilityState === 'visible')
  function leave({ persisted }: PageTransitionEvent) {
    // A page that is kept goes on when it is shown again.
    if (!persisted) end(false)
  }
  function end(counts: boolean) {
    if (watch.signal.aborted) return
    watch.abort()
    count(counts)
  }
  follow()
  document.addEventListener('visibilitychange', follow, { signal: watch.signal })
  addEventListener('pagehide', leave, { signal: watch.signal })
  signal.addEventListener('abort', () => end(false), { signal: watch.signal })
  return () => end(true)
}

/** Nothing more is to be tried of a training. */
export function forgetTries(moduleId: string): void {
  write(others(moduleId))
}

function others(moduleId: string): Tries {
  return readTries().filter(([id]) => id !== moduleId)
}

function write(tries: Tries): void {
  keepStored(TRIES_KEY, tries.length === 0 ? null : JSON.stringify(tries.slice(-KEPT_MAX)))
}

function readTries(): Tries {
  const tries = parseStored(TRIES_KEY)
  return Array.isArray(tries) ? tries.filter(isTry) : []
}

function isTry(value: unknown): value is Tries[number] {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isInteger(value[1])
}
