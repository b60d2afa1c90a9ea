import { Spinner } from '#web/ui/spinner.tsx'

/** At the end of a growing list, where it takes no place from anything when it goes. */
export function MoreToCome() {
  return (
    <p className="flex items-center gap-3 px-4 pt-5 pb-2 text-sm text-ink-soft">
      <Spinner className="size-4 text-brand" />
      More steps appear here as they are found.
    </p>
  )
}
