import { type ImageName, isWide } from '#contract/image.ts'
import { largeName, nameInVideo, smallName } from '#contract/image-url.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { videoMarkOf, videoReplaced } from '#worker/domain/module/video-id.ts'
import { hasRoomFor, isPublished, listUnusedImages, removeUnusedImages, upsertImage } from './image-store.ts'

/** Where the images of a module lie. */
export function imagesOf(moduleId: string): string {
  return `images/${moduleId}/`
}

/** Where an image of a module lies. */
function imageKey(moduleId: string, name: ImageName): string {
  return `${imagesOf(moduleId)}${name}`
}

/** What an image is by its first bytes, whatever it is called; null for all but WebP and JPEG. */
export function sniffImage(bytes: Uint8Array): 'image/webp' | 'image/jpeg' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  return textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP' ? 'image/webp' : null
}

function textAt(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4))
}

/**
 * Keeps an image of a module, in place of the one of that name.
 * @param module of the caller
 * @returns whether a step's image was there that showed something else
 * @throws {AppError} unsupported_media_type, images_full, source_changed
 */
export async function saveImage(
  { db, d1, bucket, nowMs }: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  module: ModuleRow,
  { name, bytes }: { name: ImageName; bytes: Uint8Array },
): Promise<boolean> {
  const contentType = sniffImage(bytes)
  if (contentType === null) throw new AppError('unsupported_media_type', 'Send images as WebP or JPEG.')
  if (name === 'poster') {
    await bucket.put(imageKey(module.id, name), bytes, { httpMetadata: { contentType } })
    if (!module.hasPoster) await updateModule(db, module.id, { hasPoster: true })
    return false
  }
  const image = { moduleId: module.id, name: toStoredName(module, name), contentType, sizeBytes: bytes.byteLength }
  // The one that was released shows the same moment of the same video.
  if (await isPublished(db, image)) return false
  if (!(await hasRoomFor(d1, image)))
    throw new AppError('images_full', 'This training has no room for more pictures, as those of its versions are kept.')
  const key = imageKey(module.id, image.name)
  const before = await bucket.head(key)
  const stored = await bucket.put(key, bytes, { httpMetadata: { contentType } })
  if (!(await upsertImage(d1, image, { sourceKey: module.sourceKey, nowMs: nowMs() }))) throw videoReplaced()
  return before !== null && before.etag !== stored.etag
}

/**
 * The name under which an image of the module's video is kept, which says of which video it is: versions show images of
 * the same moments of earlier ones.
 * @throws {AppError} source_changed where the name is of another video
 */
function toStoredName(module: ModuleRow, name: ImageName): ImageName {
  const mark = videoMarkOf(module)
  if (!name.includes('.')) return nameInVideo(name, mark)
  if (mark === undefined || !name.startsWith(nameInVideo('', mark))) throw videoReplaced()
  return name
}

/** How long an image is kept that no step shows, so that a change can be taken back. */
const UNUSED_KEPT_MS = 60 * 60_000
/** R2 deletes so many objects in one call. */
const REMOVED_AT_ONCE = 1_000

/** Removes images that no step has shown for a while. @returns how many */
export async function removeUnused({ d1, bucket, nowMs }: Pick<Context, 'd1' | 'bucket' | 'nowMs'>): Promise<number> {
  const unused = await listUnusedImages(d1, { beforeMs: nowMs() - UNUSED_KEPT_MS, limit: REMOVED_AT_ONCE })
  if (unused.length === 0) return 0
  await bucket.delete(unused.map(({ moduleId, name }) => imageKey(moduleId, name)))
  await removeUnusedImages(d1, unused)
  return unused.length
}

/** A page shows the same images many times; a replaced image appears after this time. */
const MAX_AGE_S = 300

/**
 * Answers a module's image to callers who may see the module; a smaller one of a step where a larger is missing.
 * @throws {AppError} not_found
 */
export async function serveImage(
  bucket: R2Bucket,
  { moduleId, name }: { moduleId: string; name: ImageName },
  request: Request,
): Promise<Response> {
  const get = (imageName: ImageName): Promise<R2ObjectBody | R2Object | null> =>
    bucket.get(imageKey(moduleId, imageName), { onlyIf: request.headers })
  const small = smallName(name)
  const names = new Set([name, ...(isWide(name) ? [largeName(small)] : []), small])
  let object: Awaited<ReturnType<typeof get>> = null
  for (const each of names) object ??= await get(each)
  if (object === null) throw moduleNotFound()
  const headers = new Headers({
    'content-type': object.httpMetadata?.contentType ?? 'application/octet-stream',
    'content-disposition': 'inline',
    'cache-control': `private, max-age=${MAX_AGE_S}`,
    'x-content-type-options': 'nosniff',
    etag: object.httpEtag,
  })
  // R2 answers a condition that does not hold with the object's head alone.
  return isWhole(object) ? new Response(object.body, { headers }) : new Response(null, { status: 304, headers })
}

function isWhole(object: R2Object | R2ObjectBody): object is R2ObjectBody {
  return 'body' in object
}
