import { z } from 'zod'
import type { BoundedContext, Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { PurgeMessage, shareTag } from '#worker/domain/share/forget-share.ts'
import { handleUploadCreated } from '#worker/domain/upload/handle-upload-created.ts'
import { logLine, withTrace } from '#worker/log/log.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import { delayAfter } from '#worker/tasks/retry.ts'

/** A bucket's event notification of an object (R2, "Event notifications"); its other fields are read from the bucket itself. */
const BucketEvent = z.object({ action: z.string(), object: z.object({ key: z.string() }) })

/** Actions after which an object is there. */
const ARRIVALS: ReadonlySet<string> = new Set(['PutObject', 'CompleteMultipartUpload', 'CopyObject'])
/** Folder of videos. The worker itself puts audio and images into the others. */
const SOURCES = 'src/'

/**
 * Consumes the bucket's event notifications: starts what `complete` would have started, where the tab was closed right
 * after the last byte. One that cannot be read is dropped, because the sweep finds the upload as well. Messages for which
 * this invocation has no queries left are delivered again to another one.
 */
export async function handleUploadsCreated(batch: MessageBatch<unknown>, context: BoundedContext): Promise<void> {
  for (const message of batch.messages) {
    if (!context.hasQueriesLeft()) message.retry()
    else await withTrace({ requestId: crypto.randomUUID() }, () => notice(message, context))
  }
}

async function notice(message: Message, context: Context): Promise<void> {
  const notification = BucketEvent.safeParse(message.body)
  if (!notification.success) logLine('warn', 'event_notification_unreadable', { messageId: message.id })
  const key =
    notification.data !== undefined && ARRIVALS.has(notification.data.action) ? notification.data.object.key : ''
  try {
    if (key.startsWith(SOURCES)) await handleUploadCreated(context, key)
    message.ack()
  } catch (error) {
    logLine('warn', 'event_notification_retried', { key, messageId: message.id, ...faultOf(error) })
    message.retry({ delaySeconds: delayAfter(error, message.attempts - 1) })
  }
}

/** Longer than it takes until the account may purge again. */
const AGAIN_AFTER_S = 15

/**
 * Consumer of the changes of shared modules: one purge for a whole batch, with each module once. A failed purge is
 * retried; a lost one matters little, because the edge's entries expire within a minute.
 */
export async function purgeShares(batch: MessageBatch<unknown>, edge: EdgeCache): Promise<void> {
  const tags = new Set<string>()
  for (const { body } of batch.messages) {
    const purge = PurgeMessage.safeParse(body)
    if (purge.success) tags.add(shareTag(purge.data.moduleId))
  }
  try {
    if (tags.size > 0) await edge.purge([...tags])
    batch.ackAll()
  } catch (error) {
    logLine('warn', 'purge_put_off', { count: tags.size, ...faultOf(error) })
    batch.retryAll({ delaySeconds: AGAIN_AFTER_S })
  }
}
