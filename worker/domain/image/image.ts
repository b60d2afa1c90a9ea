import { IMAGES_MAX, type ImageName } from '#contract/image.ts'
import type { Done } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { AppError } from '#worker/errors.ts'

/** Where the images of a module lie. */
export function imagesOf(moduleId: string): string {
  return `images/${moduleId}/`
}

/** Lists the images of a module by name, with their types. */
export async function listImages(bucket: R2Bucket, moduleId: string): Promise<Map<string, string>> {
  const prefix = imagesOf(moduleId)
  const { objects } = await bucket.list({ prefix, limit: IMAGES_MAX, include: ['httpMetadata'] })
  return new Map(objects.map(({ key, httpMetadata }) => [key.slice(prefix.length), httpMetadata?.contentType ?? '']))
}

/** Where an image of a module lies. */
function imageKey(moduleId: string, name: ImageName): string {
  return `${imagesOf(moduleId)}${name}`
}

/** What an image is by its first bytes, whatever it is called; null for all but WebP and JPEG. */
function sniffImage(bytes: Uint8Array): 'image/webp' | 'image/jpeg' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  return textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP' ? 'image/webp' : null
}

function textAt(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4))
}

/**
 * Keeps an image of a module, in place of the one of that name.
 * @param module of the caller
 * @throws {AppError} unsupported_media_type, payload_too_large when there are too many
 */
export async function saveImage(
  { db, bucket }: { db: Db; bucket: R2Bucket },
  module: ModuleRow,
  { name, bytes }: { name: ImageName; bytes: Uint8Array },
): Promise<Done> {
  const contentType = sniffImage(bytes)
  if (contentType === null) throw new AppError('unsupported_media_type', 'Send images as WebP or JPEG.')
  const key = imageKey(module.id, name)
  const { objects } = await bucket.list({ prefix: imagesOf(module.id), limit: IMAGES_MAX })
  // A module that has all the images that it may have can still replace one.
  if (objects.length >= IMAGES_MAX && !objects.some((object) => object.key === key)) {
    throw new AppError('payload_too_large', `A module may have ${IMAGES_MAX} images.`)
  }
  await bucket.put(key, bytes, { httpMetadata: { contentType } })
  if (name === 'poster' && !module.hasPoster) await updateModule(db, module.id, { hasPoster: true })
  return { success: true }
}

/** A page shows the same images many times; a replaced image appears after this time. */
const MAX_AGE_S = 300

/** Answers a module's image to callers who may see the module. @throws {AppError} not_found */
export async function serveImage(
  bucket: R2Bucket,
  { moduleId, name }: { moduleId: string; name: ImageName },
  request: Request,
): Promise<Response> {
  const object = await bucket.get(imageKey(moduleId, name), { onlyIf: request.headers })
  if (object === null) throw moduleNotFound()
  const headers = new Headers({
    'content-type': object.httpMetadata?.contentType ?? 'application/octet-stream',
    'content-disposition': 'inline',
    'cache-control': `private, max-age=${MAX_AGE_S}`,
    'x-content-type-options': 'nosniff',
    etag: object.httpEtag,
  })
  // R2 answers a condition that does not hold with the object's head alone.
  return 'body' in object ? new Response(object.body, { headers }) : new Response(null, { status: 304, headers })
}
