import { keepStored, listStored } from '#web/lib/browser-state.ts'
import { keepPerson } from '#web/lib/device/device-person.ts'

/** What this browser keeps of a learner without an account; what was not sent yet stays, and names whose it is. */
const OF_LEARNER = [
  'adapt_learned:',
  'adapt_learner:',
  'adapt_kept_since:',
  'adapt_follow:',
  'adapt_positions',
  'adapt_asked_again:',
]

/** Forgets the last person of a shared device: where they were, and what they have seen. */
export function forgetDevice(): void {
  keepPerson(null)
  for (const key of OF_LEARNER.flatMap(listStored)) keepStored(key, null)
}
