import { AppError } from '#worker/errors.ts'
import { type ByteRange, parseByteRange } from './byte-range.ts'
import { moduleNotFound } from './get-module.ts'
import type { ModuleRow } from './module-store.ts'

/**
 * Streams a module's video with ranges, and only the very bytes that `complete` recorded.
 * @throws {AppError} not_found, source_changed when the object was replaced after `complete`
 */
export async function serveSource(bucket: R2Bucket, module: ModuleRow, request: Request): Promise<Response> {
  const { sourceEtag: etag, sourceSizeBytes: sizeBytes } = module
  if (etag === null || sizeBytes === null) throw moduleNotFound()
  const headers = sourceHeaders(module, etag)
  if (request.headers.get('if-none-match') === `"${etag}"`) return new Response(null, { status: 304, headers })
  const range = readRange(request, etag, sizeBytes)
  // R2 answers an unsatisfiable range with the whole object, so it is refused here.
  if (range === 'unsatisfiable') {
    const where = { 'content-range': `bytes */${sizeBytes}` }
    throw new AppError('range_not_satisfiable', `The video has ${sizeBytes} bytes.`, { headers: where })
  }
  headers.set('content-length', String(range?.length ?? sizeBytes))
  if (range !== null) {
    headers.set('content-range', `bytes ${range.offset}-${range.offset + range.length - 1}/${sizeBytes}`)
  }
  const status = range === null ? 200 : 206
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  return new Response(await openSource(bucket, module.sourceKey, { etag, range }), { status, headers })
}

function sourceHeaders(module: ModuleRow, etag: string): Headers {
  return new Headers({
    'content-type': module.sourceType ?? 'application/octet-stream',
    'content-disposition': 'inline',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    etag: `"${etag}"`,
  })
}

/** `If-Range` with another tag asks for everything (RFC 9110 §13.1.5). */
function readRange(request: Request, etag: string, sizeBytes: number): ReturnType<typeof parseByteRange> {
  const ifRange = request.headers.get('if-range')
  if (ifRange !== null && ifRange !== `"${etag}"`) return null
  return parseByteRange(request.headers.get('range'), sizeBytes)
}

async function openSource(
  bucket: R2Bucket,
  key: string,
  at: { etag: string; range: ByteRange | null },
): Promise<ReadableStream> {
  const object = await bucket.get(key, {
    onlyIf: { etagMatches: at.etag },
    ...(at.range === null ? {} : { range: at.range }),
  })
  if (object === null) throw moduleNotFound()
  if (!('body' in object)) {
    throw new AppError(
      'source_changed',
      'The uploaded file was replaced after processing. Please upload the video again.',
    )
  }
  return object.body
}
