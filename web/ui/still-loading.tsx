import { useSlowLoading } from '#web/lib/use-slow-loading.ts'

/** Below a placeholder: announces loading to screen readers, and shows a sentence after 3 s. */
export function StillLoading({ what }: { what: string }) {
  const isSlow = useSlowLoading(true)
  return (
    <p role="status" className="min-h-5 text-center text-sm text-ink-soft">
      {isSlow ? `Still loading ${what}…` : <span className="sr-only">Loading {what}</span>}
    </p>
  )
}
