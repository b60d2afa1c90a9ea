import { CircleCheck, CircleX, Flag } from 'lucide-react'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'

/** Reports from a step. It lies above the button that the card is. */
export function StepFlag({ number, title, onPress }: { number: number; title: string; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-label={m.report_from_step({ number, title })}
      title={m.report_step()}
      onClick={onPress}
      className="relative z-1 -my-1 inline-flex size-8 pointer-coarse:-my-2.5 pointer-coarse:size-11 shrink-0 items-center justify-center rounded-control text-ink-faint hover:bg-sunken hover:text-ink"
    >
      <Flag aria-hidden="true" className="size-4" />
    </button>
  )
}

/** A report of this device that its trainer is done with. */
export interface SettledReport {
  id: string
  stepId: string
  /** ISO 8601. */
  settledAt: string
  /** Empty for nothing. */
  answer: string
}

/** What a device reads of its report once that is settled. */
export function SettledNote({
  settledAt,
  answer,
  onHide,
}: Omit<SettledReport, 'stepId' | 'id'> & { onHide: () => void }) {
  return (
    <div className="relative z-1 mt-2.5 flex items-start gap-2 rounded-control bg-brand-soft py-1.5 ps-3 pe-1.5 text-sm text-brand-ink">
      <CircleCheck aria-hidden="true" className="mt-1 size-4 shrink-0" />
      <div className="min-w-0 flex-1 py-0.5">
        <p className="font-medium">{m.changed_on_thank_you({ date: formatDate(settledAt) })}</p>
        {answer !== '' && (
          <p dir="auto" className="mt-0.5 wrap-anywhere">
            {answer}
          </p>
        )}
      </div>
      <Button variant="ghost" size="icon" aria-label={m.close()} onClick={onHide} className="size-7!">
        <CircleX aria-hidden="true" className="size-4" />
      </Button>
    </div>
  )
}
