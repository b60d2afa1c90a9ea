import { useSlowLoading } from '#web/lib/use-slow-loading.ts'

/** Below what holds the place of something that loads: a word to readers of the screen, and after 3 s to everybody. */
export function StillLoading({ what }: { what: string }) {
  const isSlow = useSlowLoading(true)
  return (
    <p role="status" className="min-h-5 text-center text-sm text-ink-soft">
      {isSlow ? `Still loading ${what}…` : <span className="sr-only">Loading {what}</span>}
    </p>
  )
}
