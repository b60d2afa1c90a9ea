import { z } from 'zod'
import { keepChoice, readChoice } from '#web/lib/stored-choice.ts'

/** Titles by id of modules whose end is to be notified. */
const Watched = z.record(z.string(), z.string())
export type Watched = z.infer<typeof Watched>

/** What the tabs of one browser wait for together, so that each end is notified once, also after a reload. */
export interface WatchedModules {
  read(): Watched
  /**
   * Changes what is waited for while no other tab does.
   * @returns what is gone from the list by this change
   */
  change(next: (watched: Watched) => Watched): Promise<Watched>
}

export function openWatchedModules(userId: string): WatchedModules {
  const key = `adapt_watched_modules:${userId}`
  function read(): Watched {
    try {
      return Watched.parse(JSON.parse(readChoice(key) ?? '{}'))
    } catch {
      // Edited by hand, or written by another version of Adapt.
      return {}
    }
  }
  function apply(next: (watched: Watched) => Watched): Watched {
    const before = read()
    const after = next(before)
    keepChoice(key, JSON.stringify(after))
    return Object.fromEntries(Object.entries(before).filter(([id]) => !(id in after)))
  }
  return { read, change: (next) => inTurn(key, () => apply(next)) }
}

/** One tab after the other. Browsers without locks are too few for their double toasts to matter. */
function inTurn<T>(key: string, work: () => T): Promise<T> {
  if (!('locks' in navigator)) return Promise.resolve(work())
  return navigator.locks.request(key, async () => work())
}
