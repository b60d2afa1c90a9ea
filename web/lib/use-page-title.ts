import { useEffect } from 'react'
import { useUnseenNotices } from './unseen-notices.ts'

/** Names the browser tab, with the number of notices that appeared while it was hidden. */
export function usePageTitle(title: string): void {
  const unseen = useUnseenNotices()
  useEffect(() => {
    const name = title === 'Adapt' ? title : `${title} · Adapt`
    document.title = unseen > 0 ? `(${unseen}) ${name}` : name
  }, [title, unseen])
}
