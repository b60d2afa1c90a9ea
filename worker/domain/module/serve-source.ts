import { z } from 'zod'
import { partsOf, type ServedPart } from '#media/iso/early-index.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { logLine } from '#worker/log/log.ts'
import { moduleNotFound } from './get-module.ts'
import type { ModuleRow } from './module-store.ts'
import { videoIdOf } from './video-id.ts'

/** A video as it is served: only ever the very bytes that `complete` recorded. */
export const Source = z.object({
  key: z.string(),
  /** Without quotes, as R2 has it. */
  etag: z.string(),
  sizeBytes: z.number().int(),
  contentType: z.string(),
  /** How its index is served first; null: its bytes are served as they are. */
  earlyIndex: z
    .object({ key: z.string(), insertAt: z.number(), indexAt: z.number(), indexBytes: z.number() })
    .nullable(),
})
export type Source = z.infer<typeof Source>

/** Finds what of a module's video is served. @throws {AppError} not_found while there is no video */
export function getSource(module: ModuleRow): Source {
  const { sourceKey: key, sourceEtag: etag, sourceSizeBytes: sizeBytes, sourceType, earlyIndex: move } = module
  if (etag === null || sizeBytes === null) throw moduleNotFound()
  const earlyIndex = move && { key: earlyIndexKey(key), ...move }
  return { key, etag, sizeBytes, contentType: sourceType ?? 'application/octet-stream', earlyIndex }
}

/**
 * Where the bytes lie that a video begins with as it is served, where these are others than its own: under the module
 * that it was uploaded for.
 */
export function earlyIndexKey(sourceKey: string): string {
  return `early/${videoIdOf({ sourceKey })}`
}

/** The tag of a video as it is served, without quotes: another order of its bytes is another one. */
export function servedTag({ etag, earlyIndex }: Pick<Source, 'etag' | 'earlyIndex'>): string {
  return earlyIndex === null ? etag : `${etag}-early`
}

/**
 * Streams a video with ranges.
 * @throws {AppError} not_found, range_not_satisfiable, source_changed when the object was replaced after `complete`
 */
export async function serveSource(bucket: R2Bucket, source: Source, request: Request): Promise<Response> {
  return answerSource(source, request, (range) => openSource(bucket, source, range))
}

/**
 * Answers a request for a video: conditions and ranges here, the bytes of a range, or all of them for null, from `open`.
 * @throws {AppError} range_not_satisfiable
 */
export async function answerSource(
  source: Source,
  request: Request,
  open: (range: ByteRange | null) => Promise<ReadableStream>,
): Promise<Response> {
  const { sizeBytes } = source
  const etag = servedTag(source)
  const headers = new Headers({
    'content-type': source.contentType,
    'content-disposition': 'inline',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    etag: `"${etag}"`,
  })
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
  return new Response(await open(range), { status, headers })
}

/** `If-Range` with another tag asks for everything (RFC 9110 §13.1.5). */
function readRange(request: Request, etag: string, sizeBytes: number): ReturnType<typeof parseByteRange> {
  const ifRange = request.headers.get('if-range')
  if (ifRange !== null && ifRange !== `"${etag}"`) return null
  return parseByteRange(request.headers.get('range'), sizeBytes)
}

/**
 * Opens bytes of a video as it is served.
 * @param range null for all of it
 * @throws {AppError} not_found, source_changed
 */
export async function openSource(
  bucket: R2Bucket,
  { key, etag, sizeBytes, earlyIndex }: Source,
  range: ByteRange | null,
): Promise<ReadableStream> {
  const openFile = (of: ByteRange | null) => openObject(bucket, key, { etag, range: of })
  if (earlyIndex === null) return openFile(range)
  const [part, ...rest] = partsOf(earlyIndex, range ?? { offset: 0, length: sizeBytes })
  const open = ({ of, offset, length }: ServedPart) =>
    of === 'file'
      ? openFile({ offset, length })
      : openObject(bucket, earlyIndex.key, { etag: null, range: { offset, length } })
  if (part === undefined) return openFile({ offset: 0, length: 0 })
  const first = await open(part)
  return rest.length === 0 ? first : joinStreams(first, rest, open)
}

/** Each part is opened when the one before it has been sent. */
function joinStreams<Part>(
  first: ReadableStream,
  rest: Part[],
  open: (part: Part) => Promise<ReadableStream>,
): ReadableStream {
  const { readable, writable } = new IdentityTransformStream()
  async function send(): Promise<void> {
    await first.pipeTo(writable, { preventClose: true })
    for (const part of rest) await (await open(part)).pipeTo(writable, { preventClose: true })
    await writable.close()
  }
  send().catch((error: unknown) => {
    // Also where the player went away, which it does with each jump.
    logLine('info', 'video_broken_off', faultOf(error))
    return writable.abort(error).catch(() => undefined)
  })
  return readable
}

/**
 * Bytes of an object, as long as it is the one with that tag.
 * @throws {AppError} not_found, source_changed
 */
async function openObject(
  bucket: R2Bucket,
  key: string,
  options: { etag: string | null; range: ByteRange | null },
): Promise<ReadableStream> {
  const object = await bucket.get(key, {
    ...(options.etag === null ? {} : { onlyIf: { etagMatches: options.etag } }),
    ...(options.range === null ? {} : { range: options.range }),
  })
  if (object === null) throw moduleNotFound()
  if (!('body' in object)) {
    logLine('warn', 'source_replaced', { key })
    throw new AppError(
      'source_changed',
      'The uploaded file was replaced after processing. Please upload the video again.',
    )
  }
  return object.body
}

/** Bytes `offset … offset + length - 1`. */
export interface ByteRange {
  offset: number
  length: number
}

/**
 * Reads a `Range` header of one range (RFC 9110 §14.1.2).
 * @returns the range; null to send everything (no header, another unit, several ranges, or not understood, all of
 *   which a server may ignore); `unsatisfiable` when nothing of the object lies in it
 */
export function parseByteRange(header: string | null, sizeBytes: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '') return parseSuffix(last, sizeBytes)
  const offset = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < offset) return null
  return offset >= sizeBytes ? 'unsatisfiable' : { offset, length: end - offset + 1 }
}

function parseSuffix(last: string, sizeBytes: number): ByteRange | null | 'unsatisfiable' {
  if (last === '') return null
  const length = Math.min(Number(last), sizeBytes)
  return length === 0 ? 'unsatisfiable' : { offset: sizeBytes - length, length }
}
