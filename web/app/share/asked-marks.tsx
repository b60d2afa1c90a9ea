import type { ReactNode } from 'react'
import type { AskedStep, AskedStepsAnswer } from '#contract/records/asked-steps.ts'
import { readPerson } from '#web/lib/device/device-person.ts'
import { keepAsked, readKeptAsked } from '#web/lib/device/kept-asked.ts'
import { AskedBadge, AskedNotes, sayWhy } from '#web/ui/asked-step.tsx'
import { askServer } from './ask-server.ts'

/** What a step has beside its title, below that, and below all of it. */
interface StepExtras {
  badge?: ReactNode
  mark?: ReactNode
  after?: ReactNode
}

/** Marks the steps that are asked again of the person whose device this is. */
export interface AskedMarks {
  /** Adds to what a step has why it is asked again, and what it said before. */
  show: (id: string, extras?: StepExtras) => StepExtras
  /** The title of a step, with why it is asked again. */
  nameStep: (step: { id: string; title: string }) => string
}

/** Asks what is asked again of this person; without an answer it is what the device has kept of the last one. */
async function loadAsked(linkId: string): Promise<readonly AskedStep[]> {
  const personId = readPerson()
  const answer = await askServer(`/api/my/trainings/${encodeURIComponent(linkId)}/asked`).catch(() => null)
  if (answer === null || answer.status >= 500) return readKeptAsked(linkId)
  const { steps = [] } = (answer.ok ? await answer.json() : {}) as Partial<AskedStepsAnswer>
  keepAsked(linkId, steps, personId)
  return steps
}

/** Marks what is asked again of this person. @returns null for nothing, or all of it */
export async function loadAskedMarks(linkId: string): Promise<AskedMarks | null> {
  const steps = await loadAsked(linkId)
  const asked = new Map(steps.map((step) => [step.id, step]))
  return steps.length === 0
    ? null
    : {
        show: (id, extras = {}) => {
          const step = asked.get(id)
          if (step === undefined) return extras
          return {
            ...extras,
            mark: <AskedBadge why={step.why} />,
            after: (
              <>
                {/* Above the button that the card of a step is. */}
                <div className="relative z-1">
                  <AskedNotes step={step} />
                </div>
                {extras.after}
              </>
            ),
          }
        },
        nameStep: ({ id, title }) => {
          const step = asked.get(id)
          return step === undefined ? title : `${title} · ${sayWhy(step)}`
        },
      }
}
