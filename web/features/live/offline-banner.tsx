import { WifiOff } from 'lucide-react'
import * as m from '#messages'
import { useIsOnline } from '#web/lib/browser-state.ts'

/** Says that the page has stopped updating, and that it will catch up by itself. */
export function OfflineBanner() {
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        // A kept copy says it by itself, and how old it is.
        <p className="flex items-center justify-center gap-3 bg-warn-soft px-4 py-2.5 text-sm text-warn-ink in-data-[kept=copy]:hidden">
          <WifiOff aria-hidden="true" className="size-5 shrink-0" />
          {m.you_are_offline_this_page()}
        </p>
      )}
    </div>
  )
}
