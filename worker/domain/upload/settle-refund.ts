import { findSource } from '#worker/domain/module/deleted-store.ts'
import { refundDue } from '#worker/domain/quota/quota-store.ts'
import type { UploadDeps } from './receive-upload.ts'

/**
 * Refunds what is due of an upload, after its addresses have expired, and removes what was sent to them for nothing: a
 * file that was refused, or one that took the place of the video that was received.
 */
export async function settleRefund(
  { db, d1, bucket, nowMs }: Pick<UploadDeps, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  { moduleId }: { moduleId: string },
): Promise<void> {
  const source = await findSource(db, moduleId)
  if (source !== null) {
    const stored = await bucket.head(source.sourceKey)
    if (stored !== null && stored.etag !== source.sourceEtag) await bucket.delete(source.sourceKey)
  }
  await refundDue(d1, moduleId, nowMs())
}
