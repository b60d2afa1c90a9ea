import type { PictureName } from '#contract/picture.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { pictureKey } from './picture-store.ts'

/** A page shows the same pictures many times; a replaced picture appears after this time. */
const MAX_AGE_S = 300

/** Answers a module's picture to callers who may see the module. @throws {AppError} not_found */
export async function servePicture(
  bucket: R2Bucket,
  { moduleId, name }: { moduleId: string; name: PictureName },
  request: Request,
): Promise<Response> {
  const object = await bucket.get(pictureKey(moduleId, name), { onlyIf: request.headers })
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
