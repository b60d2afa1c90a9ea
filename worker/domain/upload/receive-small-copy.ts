import { nanoid } from 'nanoid'
import type { Done } from '#contract/module.ts'
import {
  SMALL_COPY_SHARE_MAX,
  type SmallCopyArrived,
  type SmallCopyRequest,
  type SmallCopyUrlAnswer,
} from '#contract/small-copy.ts'
import { subtract, unite } from '#contract/time/time-ranges.ts'
import { SNIFF_BYTES, sniffContainer } from '#media/sniff-container.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { removeObjects } from '#worker/domain/media/remove-objects.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { isNamed, type MadeCopy, setSmallCopy, smallCopiesOf } from '#worker/domain/module/small-copy.ts'
import { requireSameVideo, videoReplaced } from '#worker/domain/module/video-id.ts'
import { addUse } from '#worker/domain/quota/take-quota.ts'
import { readUnshown, requireCopySender } from '#worker/domain/version/copy-right.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { signPut } from './presign-upload.ts'

const TYPE = 'video/mp4'

/**
 * An address for the small copy of a video, made by its owner's browser. Its bytes count among the bytes of the day.
 * @throws {AppError} source_changed of another video than the module's, not_found before that has arrived,
 *   payload_too_large where it would save too little, quota_reached
 */
export async function signSmallCopy(
  context: Context,
  module: ModuleRow,
  { sizeBytes, videoId }: SmallCopyRequest,
): Promise<SmallCopyUrlAnswer> {
  requireSameVideo(module, videoId)
  checkSaving(module, sizeBytes)
  await addUse(context, module, { kind: 'bytes', amount: sizeBytes })
  const key = `${smallCopiesOf(module.id)}${nanoid(22)}`
  return { success: true, key, url: await signPut(context.uploads, { key, contentType: TYPE, sizeBytes }) }
}

/**
 * Serves a small copy that has arrived from now on, in place of the one before, or records that there is to be none.
 * Repeating it changes nothing.
 * @throws {AppError} source_changed of another video than the module's, not_found (also for an object elsewhere),
 *   upload_missing, payload_too_large, not_a_video, approval_needed for owners who may not send one, invalid_request
 *   where it lacks something that is shown
 */
export async function receiveSmallCopy(
  context: Pick<Context, 'db' | 'bucket'>,
  module: ModuleRow,
  { arrived, caller }: { arrived: SmallCopyArrived; caller: Caller },
): Promise<Done> {
  const { db, bucket } = context
  requireSameVideo(module, arrived.videoId)
  const place = smallCopiesOf(module.id)
  if ('savesTooLittle' in arrived) {
    if (module.smallCopy?.kind !== 'made') await setSmallCopy(db, module, { kind: 'none' })
    return { success: true }
  }
  const copy = await readCopy(bucket, module, arrived)
  let isOfVideo = true
  if (!isNamed(module, copy)) {
    await requireCopySender(context, module, caller)
    if (subtract(copy.cuts, await readUnshown(context, module)).length > 0)
      throw new AppError('invalid_request', 'This small copy lacks something that is shown.')
    isOfVideo = await setSmallCopy(db, module, copy)
  }
  // Those before it, and those that were sent and never reported; all of them where the module was deleted meanwhile. Read
  // again, because another browser may have named its own.
  const { smallCopy, learnerSource } = (await findModule(db, module.id)) ?? {}
  const copies = [smallCopy, learnerSource?.smallCopy]
  const served = new Set(copies.map((copy) => (copy?.kind === 'made' ? copy.key : null)))
  await removeObjects(bucket, place, (name) => !served.has(place + name))
  if (!isOfVideo) throw videoReplaced()
  return { success: true }
}

/** Reads what has arrived. */
async function readCopy(
  bucket: R2Bucket,
  module: ModuleRow,
  { key, codec, cuts = [] }: Extract<SmallCopyArrived, { key: string }>,
): Promise<Required<MadeCopy>> {
  if (!key.startsWith(smallCopiesOf(module.id))) throw moduleNotFound()
  const object = await bucket.get(key, { range: { offset: 0, length: SNIFF_BYTES } })
  if (object === null) throw new AppError('upload_missing', 'The small copy has not arrived yet. Please send it again.')
  checkSaving(module, object.size)
  if (sniffContainer(new Uint8Array(await object.arrayBuffer())) !== TYPE)
    throw new AppError('not_a_video', 'The small copy is no MP4.')
  const { etag, size: sizeBytes } = object
  return { kind: 'made', key, etag, sizeBytes, codec, cuts: unite(cuts, []) }
}

function checkSaving({ sourceSizeBytes }: ModuleRow, sizeBytes: number): void {
  if (sourceSizeBytes === null) throw moduleNotFound()
  if (sizeBytes > sourceSizeBytes * SMALL_COPY_SHARE_MAX)
    throw new AppError('payload_too_large', 'This copy of the video saves too little to be of use.')
}
