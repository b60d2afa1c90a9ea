import type { AskedStep } from '#contract/records/asked-steps.ts'
import * as m from '#messages'
import { Badge } from './card.tsx'
import { ChangedText } from './changed-text.tsx'

/** Why a step is asked of a person again. */
const REASONS: Record<AskedStep['why'], () => string> = {
  new: m.asked_step_new,
  changed: m.version_step_changed,
  again: m.state_refused,
}

/** Says why a step is asked again. */
export function sayWhy({ why }: Pick<AskedStep, 'why'>): string {
  return REASONS[why]()
}

/** The same beside the title of a step. */
export function AskedBadge(step: Pick<AskedStep, 'why'>) {
  return <Badge tone={step.why === 'again' ? 'warn' : 'brand'}>{sayWhy(step)}</Badge>
}

/** What a supervisor says of a step that is asked again, and what it said in the version that the person has done. */
export function AskedNotes({ step: { title, description, earlier, note } }: { step: AskedStep }) {
  return (
    <>
      {note !== '' && (
        <p dir="auto" className="mt-1 text-sm font-medium wrap-anywhere text-warn-ink">
          {note}
        </p>
      )}
      {earlier !== null && (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer text-ink-soft">{m.asked_step_before()}</summary>
          <p dir="auto" className="mt-1 font-medium wrap-anywhere">
            <ChangedText before={earlier.title} after={title} side="both" />
          </p>
          <p dir="auto" className="wrap-anywhere">
            <ChangedText before={earlier.description} after={description} side="both" />
          </p>
        </details>
      )}
    </>
  )
}
