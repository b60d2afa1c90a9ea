import { useCallback, useSyncExternalStore } from 'react'

/** What this browser keeps under a key; null where it keeps nothing. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Refused, as in a frame of another site.
    return null
  }
}

/** Null where nothing is kept, or what another version of Adapt or a person has written there. */
export function parseStored(key: string): unknown {
  try {
    return JSON.parse(readStored(key) ?? 'null')
  } catch {
    // Written by hand.
    return null
  }
}

/** @param value null removes what is there @returns whether it is kept longer than the page is open */
export function keepStored(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    // Full or refused.
    return false
  }
}

/** All keys of this browser that begin with a prefix. */
export function listStored(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    // Refused.
    return []
  }
}

/** Listens to events of one target, by their names. @returns ends that */
export function listen<Each extends Event>(
  target: EventTarget,
  listeners: Readonly<Record<string, (event: Each) => void>>,
  options: AddEventListenerOptions = {},
): () => void {
  const over = new AbortController()
  for (const [type, listener] of Object.entries(listeners)) {
    target.addEventListener(type, listener as EventListener, { ...options, signal: over.signal })
  }
  return () => over.abort()
}

/** The part of the address from `#` on, where no router watches it. */
export function useAddressHash(): string {
  return useSyncExternalStore(watchHash, () => window.location.hash)
}

const watchHash = (onChange: () => void) => listen(window, { hashchange: onChange })
const watchConnection = (onChange: () => void) => listen(window, { online: onChange, offline: onChange })

/** Whether the browser believes itself online. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(watchConnection, () => navigator.onLine)
}

/** Whether a media query holds, also after the window has changed. */
export function useMediaQuery(query: string): boolean {
  const watch = useCallback((onChange: () => void) => listen(window.matchMedia(query), { change: onChange }), [query])
  return useSyncExternalStore(watch, () => window.matchMedia(query).matches)
}
