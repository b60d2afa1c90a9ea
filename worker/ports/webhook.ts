/** An event of an organization, as it is sent. */
export interface SignedEvent {
  url: string
  /** With which it is signed (standardwebhooks.com). */
  secret: string
  /** The same each time that it is sent, so that a receiver knows it again. */
  id: string
  body: string
  /** Of this attempt. */
  timeMs: number
}

/** Sends events to the addresses of organizations. */
export interface Webhooks {
  /** Whether events may be sent to an address at all. */
  allows(url: URL): boolean
  /** @throws {NotTaken} */
  post(event: SignedEvent): Promise<void>
}

/** The receiver has not taken an event. */
export class NotTaken extends Error {
  /** An HTTP status; `timeout`, `unreachable`, or `refused` for an address that is not allowed. */
  readonly reason: string

  constructor(reason: string) {
    // No address: it may open the receiver to everybody who has it.
    super(`The receiver has not taken an event: ${reason}.`)
    this.name = 'NotTaken'
    this.reason = reason
  }
}
