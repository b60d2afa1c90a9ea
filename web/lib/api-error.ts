/**
 * Every failed call ends as one of these. `message` is written for the person who reads it: a sentence, and after it in
 * brackets the HTTP status with the beginning of what the server said. @see specification §8
 */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** A `ProblemCode`, or `timeout`, `network`, `bad_answer`, `http` for what the server did not name itself. */
  readonly code: string
  /** `message` without its brackets, for the places whose whole text is given. */
  readonly sentence: string
  /** What support needs to find the call; null when no answer came. */
  readonly requestId: string | null
  /** How long the server asks to wait before the next try; null when it does not say. */
  readonly retryAfterS: number | null
  /** The JSON body of the answer, for the few problems that carry more fields than the common ones. */
  readonly body: unknown

  constructor({ status, code, sentence, requestId = null, retryAfterS = null, body, ...errorFields }: ApiErrorFields) {
    super(errorFields.message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.sentence = sentence ?? errorFields.message
    this.requestId = requestId
    this.retryAfterS = retryAfterS
    this.body = body
  }
}

type ApiErrorFields = Pick<ApiError, 'status' | 'code' | 'message'> &
  Partial<Pick<ApiError, 'sentence' | 'requestId' | 'retryAfterS' | 'body'>>
