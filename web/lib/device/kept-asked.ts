import type { AskedStep } from '#contract/records/asked-steps.ts'
import { keepStored, parseStored } from '../browser-state.ts'
import { readPerson } from './device-person.ts'

const keyOf = (linkId: string) => `adapt_asked_again:${linkId}`

/** What was asked again of somebody when this device last had a network. */
interface KeptAsked {
  personId: string | null
  steps: readonly AskedStep[]
}

/**
 * Keeps what is asked again of the person of this device, for times without a network.
 * @param personId whose it was when it was asked for: it may be somebody else's by now
 */
export function keepAsked(linkId: string, steps: readonly AskedStep[], personId: string | null): void {
  if (personId !== readPerson()) return
  const kept: KeptAsked = { personId, steps }
  keepStored(keyOf(linkId), steps.length === 0 ? null : JSON.stringify(kept))
}

/** Reads what was asked again of the person of this device; nothing of anybody else's. */
export function readKeptAsked(linkId: string): readonly AskedStep[] {
  const { personId, steps } = Object(parseStored(keyOf(linkId))) as Partial<KeptAsked>
  return personId === readPerson() && Array.isArray(steps) ? steps : []
}
