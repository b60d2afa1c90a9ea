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

/** The part of the address from `#` on, where no router watches it. */
export function useAddressHash(): string {
  return useSyncExternalStore(watchHash, () => window.location.hash)
}

function watchHash(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  return () => window.removeEventListener('hashchange', onChange)
}

function watchConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}

/** Whether the browser believes itself online. */
export function useIsOnline(): boolean {
  return useSyncExternalStore(watchConnection, () => navigator.onLine)
}

/** Whether a media query holds, also after the window has changed. */
export function useMediaQuery(query: string): boolean {
  const watch = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(watch, () => window.matchMedia(query).matches)
}
