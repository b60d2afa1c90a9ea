import { useEffect } from 'react'
import { createStore } from 'zustand/vanilla'
import { useStore } from './use-store.ts'

/** Counts the notices that appeared while this tab was hidden. */
const unseenNotices = createStore(() => 0)

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') unseenNotices.setState(0)
})

export function countUnseenNotice(): void {
  if (document.visibilityState === 'hidden') unseenNotices.setState((count) => count + 1)
}

/** Names the browser tab, with the number of notices that appeared while it was hidden. */
export function usePageTitle(title: string): void {
  const unseen = useStore(unseenNotices)
  useEffect(() => {
    const name = title === 'Adapt' ? title : `${title} · Adapt`
    document.title = unseen > 0 ? `(${unseen}) ${name}` : name
  }, [title, unseen])
}
