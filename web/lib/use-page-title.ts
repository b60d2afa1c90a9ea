import { useEffect, useSyncExternalStore } from 'react'

/** Notices that appeared while this tab was hidden. */
let count = 0
const listeners = new Set<() => void>()

function setCount(next: number): void {
  count = next
  for (const listener of listeners) listener()
}

/** Counts a notice if the tab is hidden. */
export function countUnseenNotice(): void {
  if (document.visibilityState === 'hidden') setCount(count + 1)
}

function watch(listener: () => void): () => void {
  const onVisible = () => document.visibilityState === 'visible' && count > 0 && setCount(0)
  listeners.add(listener)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    listeners.delete(listener)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

/** Counts the unseen notices; zero once the tab is visible. */
function useUnseenNotices(): number {
  return useSyncExternalStore(watch, () => count)
}

/** Names the browser tab, with the number of notices that appeared while it was hidden. */
export function usePageTitle(title: string): void {
  const unseen = useUnseenNotices()
  useEffect(() => {
    const name = title === 'Adapt' ? title : `${title} · Adapt`
    document.title = unseen > 0 ? `(${unseen}) ${name}` : name
  }, [title, unseen])
}
