import type { ProblemCode } from '#contract/problem.ts'
import * as m from '#messages'
import { quotaSentence } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { canPass } from '#web/lib/query-client.ts'

type UploadStage = 'presign' | 'captions' | 'part-urls' | 'part' | 'storage PUT' | 'resume' | 'complete'

type UploadErrorOptions = Partial<Pick<UploadError, 'isLost' | 'canPass' | 'retry'>>

/** The same file is refused again, however often it is sent. */
const REFUSED_CODES: ReadonlySet<string> = new Set([
  'not_a_video',
  'file_empty',
  'payload_too_large',
  'unsupported_media_type',
] satisfies ProblemCode[])

/** `message` names the stage and the status as the specification does; `detail` is the sentence for the person. */
export class UploadError extends Error {
  readonly detail: string
  /** The server has dropped what had arrived, so a retry starts from the beginning. */
  readonly isLost: boolean
  /** Whether a retry with the same bytes can succeed. */
  readonly canPass: boolean
  /** What helps, where it is not the rest of the upload or all of it again: another file, or this one as it is. */
  readonly retry: 'none' | 'force' | null

  constructor(message: string, detail: string, options: UploadErrorOptions = {}) {
    super(message)
    this.name = 'UploadError'
    this.detail = detail
    this.isLost = options.isLost ?? false
    this.canPass = options.canPass ?? false
    this.retry = options.retry ?? null
  }
}

const STAGE_FAILED = {
  presign: m.presign_failed_with,
  captions: m.captions_failed_with,
  'part-urls': m.part_urls_failed_with,
  part: m.part_failed_with,
  'storage PUT': m.storage_put_failed_with,
  resume: m.resume_failed_with,
  complete: m.complete_failed_with,
} satisfies Record<UploadStage, unknown>

/** What stands for a status where no answer came. */
const CAUSES: Readonly<Record<string, string>> = { network: m.cause_network(), timeout: m.cause_timeout() }

/**
 * Names the stage of a call that fails: `presign failed: 503`; where no answer came, the cause stands for the status.
 */
export async function inStage<Answer>(stage: UploadStage, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (stage === 'presign' && error.code === 'bad_answer')
      throw new UploadError(m.presign_missing_fields(), error.message)
    const isLost = stage === 'complete' && !canPass(error)
    const detail = quotaSentence(error) ?? error.message
    const retry = REFUSED_CODES.has(error.code) ? 'none' : null
    const cause = error.status || (CAUSES[error.code] ?? error.code)
    throw new UploadError(STAGE_FAILED[stage]({ cause }), detail, { isLost, retry })
  }
}

const STORAGE_SENTENCES: Record<number, string> = {
  0: m.connection_broke(),
  403: m.address_not_valid(),
  404: m.upload_ended_elsewhere(),
  412: m.address_already_used(),
  413: m.too_large_for_storage(),
}

export function storageError(status: number): UploadError {
  const detail = STORAGE_SENTENCES[status] ?? m.storage_did_not_take_file()
  const isLost = status === 404 || status === 412
  const canPass = status === 0 || status === 408 || status === 429 || status >= 500
  return new UploadError(m.storage_put_failed_with({ cause: status || m.cause_network() }), detail, { isLost, canPass })
}
