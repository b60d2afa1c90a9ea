import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AskedStep, AskedStepsAnswer } from '#contract/records/asked-steps.ts'
import * as m from '#messages'
import { callApi } from '#web/lib/api.ts'
import { readPerson } from '#web/lib/device/device-person.ts'
import { keepAsked, readKeptAsked } from '#web/lib/device/kept-asked.ts'
import { AskedBadge, AskedNotes } from '#web/ui/asked-step.tsx'
import { OWN_KEY } from './my-queries.ts'

/** The steps that are asked of a person again, each with what it said before. @param linkId in the address of the page */
export function AskedSteps({ linkId }: { linkId: string }) {
  const { data } = useQuery({
    queryKey: [...OWN_KEY, 'asked', linkId],
    queryFn: async ({ signal }) => {
      const personId = readPerson()
      const path = `/api/my/trainings/${encodeURIComponent(linkId)}/asked`
      const { steps } = await callApi({ path, schema: AskedStepsAnswer, signal })
      keepAsked(linkId, steps, personId)
      return steps
    },
  })
  const [kept] = useState(() => readKeptAsked(linkId))
  const steps = data ?? kept
  // Nobody waits for it: what is to be done stands above.
  if (steps.length === 0) return null
  return (
    <section className="mt-4 border-t border-line pt-4">
      <h4 className="text-sm font-semibold">{m.asked_steps_title()}</h4>
      <ul className="mt-2 grid grid-cols-1 gap-3">
        {steps.map((step) => (
          <li key={step.id} className="rounded-control bg-sunken p-3">
            <AskedStepText step={step} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function AskedStepText({ step }: { step: AskedStep }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <AskedBadge why={step.why} />
        <bdi className="min-w-0 text-sm font-medium wrap-anywhere">{step.title}</bdi>
      </div>
      <p dir="auto" className="mt-1 text-sm wrap-anywhere text-ink-soft">
        {step.description}
      </p>
      <AskedNotes step={step} />
    </>
  )
}
