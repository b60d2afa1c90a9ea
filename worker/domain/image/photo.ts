import { REPORT_PHOTO_MAX_BYTES } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import { sniffImage } from './image.ts'

/** A photo that a person took, as its bytes show it. */
export interface Photo {
  bytes: Uint8Array
  type: NonNullable<ReturnType<typeof sniffImage>>
}

/**
 * Reads a photo by its bytes, whatever it is called.
 * @throws {AppError} unsupported_media_type, payload_too_large
 */
export function readPhotoBytes(bytes: Uint8Array): Photo {
  if (bytes.byteLength > REPORT_PHOTO_MAX_BYTES)
    throw new AppError('payload_too_large', `A photo may have at most ${REPORT_PHOTO_MAX_BYTES / 1024} kB.`)
  const type = sniffImage(bytes)
  if (type === null) throw new AppError('unsupported_media_type', 'Send photos as WebP or JPEG.')
  return { bytes, type }
}

/** Answers a photo as an image and as nothing else. @param cacheControl never `public`: not everybody may see it */
export function answerPhoto(
  body: ReadableStream,
  { type, cacheControl }: { type: Photo['type']; cacheControl: string },
): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': 'inline',
      'cache-control': cacheControl,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}
