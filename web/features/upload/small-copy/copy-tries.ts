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
 * Watches a try that {@link noteTry} has counted: one that ends since its page is left, reloaded or closed counts for
 * nothing, nor does one that is aborted.
 * @returns ends watching
 */
export function watchTry(moduleId: string, signal: AbortSignal): () => void {
  const watch = new AbortController()
  function takeBack() {
    if (watch.signal.aborted) return
    watch.abort()
    const count = readTries().find(([id]) => id === moduleId)?.[1] ?? 0
    write(count <= 1 ? others(moduleId) : [...others(moduleId), [moduleId, count - 1]])
  }
  function leave({ persisted }: PageTransitionEvent) {
    // A page that is kept goes on when it is shown again.
    if (!persisted) takeBack()
  }
  addEventListener('pagehide', leave, { signal: watch.signal })
  signal.addEventListener('abort', takeBack, { signal: watch.signal })
  return () => watch.abort()
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
