import { ApiError } from '#web/lib/api-error.ts'
import { canPass } from '#web/lib/query-client.ts'
import { quotaSentence } from '#web/lib/quota-sentence.ts'

type UploadStage = 'presign' | 'captions' | 'part-urls' | 'part' | 'storage PUT' | 'resume' | 'complete'

/** `message` names the stage and the status as the specification does; `detail` is the sentence for the person. */
export class UploadError extends Error {
  readonly detail: string
  /** The server has dropped what had arrived, so a retry starts from the beginning. */
  readonly isLost: boolean

  constructor(message: string, detail: string, isLost = false) {
    super(message)
    this.name = 'UploadError'
    this.detail = detail
    this.isLost = isLost
  }
}

/** `presign failed: 503`; where no answer came, the cause stands for the status. */
export function stageError(stage: UploadStage, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const isLost = stage === 'complete' && !canPass(error)
  const detail = quotaSentence(error) ?? error.message
  return new UploadError(`${stage} failed: ${error.status || error.code}`, detail, isLost)
}

const STORAGE_SENTENCES: Record<number, string> = {
  0: 'The connection broke while the file was on its way. Check your network and try again.',
  403: 'The upload address is no longer valid. Try again to get a new one; if that does not help, check the clock of your computer.',
  404: 'This upload has been ended elsewhere. Try again to start a new one.',
  412: 'This upload address was already used. Try again to get a new one.',
  413: 'The file is too large for the storage.',
}

export function storageError(status: number): UploadError {
  const detail = STORAGE_SENTENCES[status] ?? 'The storage did not take the file. Try again in a moment.'
  return new UploadError(`storage PUT failed: ${status || 'network'}`, detail, status === 404 || status === 412)
}

/** Whether a retry with the same bytes can succeed. */
export function canStoragePass(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}
