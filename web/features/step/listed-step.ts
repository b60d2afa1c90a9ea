import type { SharedStep } from '#contract/share.ts'
import type { Step } from '#contract/step.ts'

/** What a list of steps shows of each, for owners and for visitors with the link alike. Seconds. */
export type ListedStep = Pick<Step, 'id' | 'title' | 'description' | 'start' | 'end' | 'isDraft'>

export function listSharedStep({ id, title, description, timestamp, duration }: SharedStep): ListedStep {
  return { id, title, description, start: timestamp, end: timestamp + duration, isDraft: false }
}
