import { useQuery } from '@tanstack/react-query'
import { type AskedStep, AskedStepsAnswer } from '#contract/records/asked-steps.ts'
import * as m from '#messages'
import { callApi } from '#web/lib/api.ts'
import { Badge } from '#web/ui/card.tsx'
import { ChangedText } from '#web/ui/changed-text.tsx'
import { OWN_KEY } from './my-queries.ts'

/** Why a step is asked again. */
const REASONS: Record<AskedStep['why'], () => string> = {
  new: m.asked_step_new,
  changed: m.version_step_changed,
  again: m.state_refused,
}

/** The steps that are asked of a person again, each with what it said before. @param linkId in the address of the page */
export function AskedSteps({ linkId }: { linkId: string }) {
  const { data } = useQuery({
    queryKey: [...OWN_KEY, 'asked', linkId],
    queryFn: ({ signal }) =>
      callApi({ path: `/api/my/trainings/${encodeURIComponent(linkId)}/asked`, schema: AskedStepsAnswer, signal }),
  })
  // Nobody waits for it: what is to be done stands above.
  if (data === undefined || data.steps.length === 0) return null
  return (
    <section className="mt-4 border-t border-line pt-4">
      <h4 className="text-sm font-semibold">{m.asked_steps_title()}</h4>
      <ul className="mt-2 grid grid-cols-1 gap-3">
        {data.steps.map((step) => (
          <li key={step.id} className="rounded-control bg-sunken p-3">
            <AskedStepText step={step} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function AskedStepText({ step: { why, title, description, earlier, note } }: { step: AskedStep }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={why === 'again' ? 'warn' : 'brand'}>{REASONS[why]()}</Badge>
        <bdi className="min-w-0 text-sm font-medium wrap-anywhere">{title}</bdi>
      </div>
      <p dir="auto" className="mt-1 text-sm wrap-anywhere text-ink-soft">
        {description}
      </p>
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
