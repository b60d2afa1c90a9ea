import { ApiError } from '#web/lib/api.ts'

type UploadStage = 'presign' | 'captions' | 'storage PUT' | 'complete'

/** `message` names the stage and the status as the specification does; `detail` is the sentence for the person. */
export class UploadError extends Error {
  readonly detail: string

  constructor(message: string, detail: string) {
    super(message)
    this.name = 'UploadError'
    this.detail = detail
  }
}

/** `presign failed: 503`; where no answer came, the cause stands for the status. */
export function stageError(stage: UploadStage, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  return new UploadError(`${stage} failed: ${error.status || error.code}`, error.message)
}

const STORAGE_SENTENCES: Record<number, string> = {
  0: 'The connection broke while the file was on its way. Check your network and try again.',
  403: 'The upload address is no longer valid. Try again to get a new one.',
  412: 'This upload address was already used. Try again to get a new one.',
  413: 'The file is too large for the storage.',
}

export function storageError(status: number): UploadError {
  const detail = STORAGE_SENTENCES[status] ?? 'The storage did not take the file. Try again in a moment.'
  return new UploadError(`storage PUT failed: ${status || 'network'}`, detail)
}
