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
