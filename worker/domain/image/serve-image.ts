import type { ImageName } from '#contract/image.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { imageKey } from './image-store.ts'

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
