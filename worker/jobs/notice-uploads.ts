import { z } from 'zod'
import { noticeUpload } from '#worker/domain/upload/notice-upload.ts'
import type { UploadDeps } from '#worker/domain/upload/receive-upload.ts'
import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { withTrace } from '#worker/log/trace.ts'
import { delayAfter } from '#worker/pipeline/run-tasks.ts'

/** A bucket's event notification of an object (R2, "Event notifications"); its other fields are read from the bucket itself. */
const BucketEvent = z.object({ action: z.string(), object: z.object({ key: z.string() }) })

/** Actions after which an object is there. */
const ARRIVALS: ReadonlySet<string> = new Set(['PutObject', 'CompleteMultipartUpload', 'CopyObject'])
/** Videos lie here; audio and images that we put into the bucket ourselves are no news. */
const SOURCES = 'src/'

/**
 * Consumer of the bucket's news: starts what `complete` would have started, when the tab was closed right after the
 * last byte. News that cannot be read is dropped, since nothing depends on it but speed: the sweep looks, too.
 */
export async function noticeUploads(batch: MessageBatch<unknown>, deps: UploadDeps): Promise<void> {
  for (const message of batch.messages) {
    await withTrace({ requestId: crypto.randomUUID() }, () => notice(message, deps))
  }
}

async function notice(message: Message, deps: UploadDeps): Promise<void> {
  const notification = BucketEvent.safeParse(message.body)
  if (!notification.success) logLine('warn', 'event_notification_unreadable', { messageId: message.id })
  const key =
    notification.data !== undefined && ARRIVALS.has(notification.data.action) ? notification.data.object.key : ''
  try {
    if (key.startsWith(SOURCES)) await noticeUpload(deps, key)
    message.ack()
  } catch (error) {
    logLine('warn', 'event_notification_retried', { key, messageId: message.id, ...faultOf(error) })
    message.retry({ delaySeconds: delayAfter(error, message.attempts - 1) })
  }
}
