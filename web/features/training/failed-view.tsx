import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { failureReason } from '#web/lib/server-sentences.ts'
import { Card } from '#web/ui/card.tsx'

/** Viewers see no details, and an owner's reason may be missing after an unknown failure. */
const UNKNOWN_REASON = m.this_training_could_not_be()

interface FailedViewProps {
  module: Pick<Module, 'lastError' | 'failureCode'>
  /** What the server said instead of steps; null when it has not been asked, or said something else. */
  said: string | null
  /** Buttons that lead on; a viewer, who may not reprocess the module, has one to the upload. */
  actions: ReactNode
}

/** An owner's own reason is newer than what was said instead of steps. @see specification §8 */
function describeFailure(module: FailedViewProps['module'], serverReason: string | null): string {
  const lastError = failureReason(module)
  return lastError === null ? (serverReason ?? UNKNOWN_REASON) : m.processing_failed_lasterror({ lastError })
}

/** The end of a module that could not be processed: why, and what to do. */
export function FailedView({ module, said: serverReason, actions }: FailedViewProps) {
  return (
    <Card className="px-6 py-10 text-center sm:px-10">
      <section role="alert" aria-labelledby="failed-heading">
        <span className="inline-flex size-14 items-center justify-center rounded-2xl bg-danger-soft text-danger-ink">
          <TriangleAlert aria-hidden="true" className="size-7" strokeWidth={1.75} />
        </span>
        <h2 id="failed-heading" className="mt-5 text-xl font-semibold">
          {m.processing_failed_heading()}
        </h2>
        <p className="mt-2 text-ink-soft wrap-anywhere">{describeFailure(module, serverReason)}</p>
      </section>
      <div className="mt-7">{actions}</div>
    </Card>
  )
}

/** A failure after steps had already been found: they stay, and this says why there are no more and what to do. */
export function FailedNotice({ module, actions }: Omit<FailedViewProps, 'said'>) {
  return (
    <Card className="p-5">
      <section role="alert" aria-labelledby="failed-heading" className="flex gap-4">
        <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-xl bg-danger-soft text-danger-ink">
          <TriangleAlert aria-hidden="true" className="size-5" strokeWidth={1.75} />
        </span>
        <div className="min-w-0">
          <h2 id="failed-heading" className="font-semibold">
            {m.processing_failed_heading()}
          </h2>
          <p className="mt-0.5 text-sm text-ink-soft wrap-anywhere">{failureReason(module) ?? UNKNOWN_REASON}</p>
          <p className="mt-1.5 text-sm text-ink-soft">{m.the_steps_that_were_found()}</p>
        </div>
      </section>
      <div className="mt-4">{actions}</div>
    </Card>
  )
}
