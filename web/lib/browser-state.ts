import { useCallback, useSyncExternalStore } from 'react'

/** What a person chose on this browser before; null when it was never chosen, or the browser keeps nothing. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
    return null
  }
}

/** @param value null forgets the choice */
export function keepChoice(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Full or blocked: the choice lasts as long as the page.
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
