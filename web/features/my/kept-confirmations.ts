import type { ConfirmTraining } from '#contract/team/my-trainings.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { keepStored, listen, listStored, parseStored } from '#web/lib/browser-state.ts'
import { Courier } from '#web/lib/courier.ts'
import { readPerson } from '#web/lib/device/device-person.ts'
import { canPass } from '#web/lib/query-client.ts'

/** A confirmation that was made without a network, as the server gets it. */
export interface KeptConfirmation extends ConfirmTraining {
  linkId: string
}

const prefixOf = (personId: string) => `adapt_confirmed:${personId}:`
const keyOf = ({ personId, linkId, version }: KeptConfirmation) => `${prefixOf(personId)}${linkId}:${version}`

/** @returns whether it is kept, which a full storage refuses */
export function keepConfirmation(confirmation: KeptConfirmation): boolean {
  return keepStored(keyOf(confirmation), JSON.stringify(confirmation))
}

/** Lists what a person has confirmed on this device and the server does not have yet. */
export function listConfirmations(personId: string): KeptConfirmation[] {
  const stored = listStored(prefixOf(personId)).map((key) => parseStored(key) as Partial<KeptConfirmation> | null)
  return stored.filter((each): each is KeptConfirmation => typeof each?.linkId === 'string')
}

interface CourierDeps {
  send: (confirmation: KeptConfirmation) => Promise<unknown>
  /** @param failure why the server will never take it; null where it has */
  onSettled: (failure: Error | null) => void
}

/**
 * Brings confirmations to the server that were made without a network. One that has arrived changes nothing again, and
 * those of others wait for them.
 */
export class ConfirmationCourier extends Courier<KeptConfirmation, Error | null> {
  readonly #deps: CourierDeps
  #isOpen = false

  constructor(deps: CourierDeps) {
    super()
    this.#deps = deps
  }

  /** Sends what is kept, and again once there is a connection. @returns ends that */
  readonly open = (): (() => void) => {
    this.#isOpen = true
    this.flush()
    const end = listen(window, { online: () => this.hurry() })
    return () => {
      end()
      this.#isOpen = false
      this.rest()
    }
  }

  protected override findNext(): KeptConfirmation | null {
    // One that is still being sent may fail after the end, and the courier of another page goes on with it.
    return this.#isOpen ? (listConfirmations(readPerson() ?? '')[0] ?? null) : null
  }

  protected override async bring(confirmation: KeptConfirmation): Promise<Error | null> {
    try {
      await this.#deps.send(confirmation)
      return null
    } catch (error) {
      return error as Error
    }
  }

  protected override settle(confirmation: KeptConfirmation, failure: Error | null): number | null {
    if (failure !== null && mayPass(failure)) return 0
    keepStored(keyOf(confirmation), null)
    this.#deps.onSettled(failure)
    return null
  }
}

/** The person may have to open their link again first. */
function mayPass(failure: Error): boolean {
  return canPass(failure) || (failure instanceof ApiError && failure.status === 401)
}
