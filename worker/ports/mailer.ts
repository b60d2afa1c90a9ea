/** A mail of plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
}

/** Sends mail, where this Adapt can. */
export interface Mailer {
  /** Where people open this Adapt, for the links in mails. */
  origin: string
  /**
   * @throws {AppError} unavailable when it may be taken later; invalid_request when this address or mail never is
   */
  send(mail: Mail): Promise<void>
}
