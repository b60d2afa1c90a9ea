/** A request that cannot be served; answered as OpenAI's API answers, `{ error: { message, type, param, code } }`. */
export class SpeechRequestError extends Error {
  readonly status: number
  readonly code: string
  /** When to ask again; null where that would not help. */
  readonly retryAfterS: number | null

  constructor(status: number, code: string, message: string, retryAfterS: number | null = null) {
    super(message)
    this.retryAfterS = retryAfterS
    this.name = 'SpeechRequestError'
    this.status = status
    this.code = code
  }

  /** The body of the answer. */
  toBody() {
    const type = this.status < 500 ? 'invalid_request_error' : 'server_error'
    return { error: { message: this.message, type, param: null, code: this.code } }
  }
}
