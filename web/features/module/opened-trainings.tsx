import { useState } from 'react'
import type { OpenedModule } from '#contract/opened-module.ts'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { OpenedCard } from './opened-card.tsx'
import { useRemoveOpened } from './use-remove-opened.ts'

/** One row on a wide screen, so that a trainer's own modules stay in sight. */
const SHOWN_AT_FIRST = 3

interface OpenedTrainingsProps {
  /** Undefined where they could not be loaded. */
  modules: OpenedModule[] | undefined
  failure: Error | null
  isFetching: boolean
  onRetry: () => void
}

/** Trainings of others that the person opened; nothing for a person who has opened none. */
export function OpenedTrainings({ modules, failure, isFetching, onRetry }: OpenedTrainingsProps) {
  const [isWhole, setIsWhole] = useState(false)
  const { mutate: remove } = useRemoveOpened()
  const heading = useFocusWhenFewer(modules?.length ?? 0)
  if (modules === undefined) {
    if (failure === null) return null
    const message = `The trainings that you opened could not be loaded. ${failure.message}`
    return (
      <LoadFailure
        className="mb-8"
        message={message}
        retryLabel="Retry loading trainings"
        isBusy={isFetching}
        onRetry={onRetry}
      />
    )
  }
  if (modules.length === 0) return null
  const isCut = modules.length > SHOWN_AT_FIRST
  return (
    <section aria-labelledby="opened-trainings" className="mb-10">
      <div className="flex min-h-8 items-center justify-between gap-4">
        <h2 id="opened-trainings" ref={heading} tabIndex={-1} className="text-lg font-semibold focus:outline-none">
          Trainings you opened
        </h2>
        {isCut && (
          <Button variant="ghost" size="small" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${modules.length}`}
          </Button>
        )}
      </div>
      <ul className="mt-3 grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {(isWhole ? modules : modules.slice(0, SHOWN_AT_FIRST)).map((module) => (
          <li key={module.id}>
            <OpenedCard module={module} onRemove={() => remove(module)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
