import { Done } from '#contract/module.ts'
import type { PartPlan } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { callWithRetry } from './call-with-retry.ts'
import { PartUrls } from './part-urls.ts'
import type { PutFile } from './put-file.ts'
import { canStoragePass, stageError, storageError, UploadError } from './upload-error.ts'
import type { Timing } from './wait.ts'

export interface ArrivedPart {
  part: number
  etag: string
  sizeBytes: number
}

export interface PartsTransfer {
  file: File
  moduleId: string
  key: string
  plan: PartPlan
  /** What an earlier session has sent. */
  arrived: readonly ArrivedPart[]
  /** Bytes of the file that have left; falls when a part has to begin again. */
  onSent: (sentBytes: number) => void
  signal: AbortSignal
}

export interface PartsDeps {
  callApi: CallApi
  putFile: PutFile
  timing: Timing
}

interface PartPut {
  part: number
  body: Blob
  signal: AbortSignal
}

/** Sends single parts and reports to the server which have arrived. The caller schedules them. */
export class PartSender {
  private readonly transfer: PartsTransfer
  private readonly deps: PartsDeps
  private readonly urls: PartUrls
  private readonly arrived: Map<number, ArrivedPart>
  private readonly sentByPart = new Map<number, number>()
  private readonly refused = new Set<number>()

  constructor(transfer: PartsTransfer, deps: PartsDeps) {
    this.transfer = transfer
    this.deps = deps
    this.arrived = new Map(transfer.arrived.map((part) => [part.part, part]))
    for (const { part, sizeBytes } of transfer.arrived) this.sentByPart.set(part, sizeBytes)
    this.urls = new PartUrls({
      ...deps,
      moduleId: transfer.moduleId,
      partCount: transfer.plan.partCount,
      signal: transfer.signal,
      hasArrived: (part) => this.arrived.has(part),
    })
  }

  listArrived(): ArrivedPart[] {
    return [...this.arrived.values()]
  }

  reportSent(): void {
    this.transfer.onSent([...this.sentByPart.values()].reduce((sum, bytes) => sum + bytes, 0))
  }

  /**
   * @returns the part's ETag, once the server knows it too.
   * @throws {UploadError} with `source.status` where the same part may succeed later, as Uppy's own errors have it.
   */
  async send({ part, body, signal }: PartPut): Promise<string> {
    const url = await this.getUrl(part)
    signal.throwIfAborted()
    try {
      const onProgress = (sentBytes: number) => this.note(part, Math.min(sentBytes, body.size))
      const { status, etag } = await this.deps.putFile({ url, file: body, onProgress, signal })
      if (status < 200 || status > 299) throw this.refusal(part, status)
      if (etag === null) throw new UploadError('storage PUT failed: no ETag', NO_ETAG_SENTENCE)
      await this.record({ part, etag, sizeBytes: body.size })
      this.note(part, body.size)
      return etag
    } catch (error) {
      this.note(part, 0)
      throw error
    }
  }

  private note(part: number, sentBytes: number): void {
    this.sentByPart.set(part, sentBytes)
    this.reportSent()
  }

  private async getUrl(part: number): Promise<string> {
    try {
      return await this.urls.get(part)
    } catch (error) {
      throw stageError('part-urls', error)
    }
  }

  /** An address that is refused is most likely too old; a fresh one that is refused as well is no accident. */
  private refusal(part: number, status: number): UploadError {
    const isFirst403 = status === 403 && !this.refused.has(part)
    if (isFirst403) {
      this.refused.add(part)
      this.urls.forget(part)
    }
    const canPass = isFirst403 || canStoragePass(status)
    const error = storageError(status)
    return canPass ? Object.assign(error, { source: { status: isFirst403 ? 0 : status } }) : error
  }

  private async record(arrived: ArrivedPart): Promise<void> {
    const { moduleId, signal } = this.transfer
    const { part, ...body } = arrived
    const path = `/api/upload/${encodeURIComponent(moduleId)}/parts/${part}`
    const call = () => this.deps.callApi({ path, method: 'PUT', body, schema: Done, signal })
    try {
      await callWithRetry(call, this.deps.timing, signal)
    } catch (error) {
      throw stageError('part', error)
    }
    this.arrived.set(part, arrived)
    this.refused.delete(part)
  }
}

const NO_ETAG_SENTENCE =
  'The storage does not show what it received, so the upload cannot be put together. Ask the operator of this site to add ETag to the exposed headers of its storage.'
