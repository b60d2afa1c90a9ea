import type { CaptionEncoding } from '#contract/captions/encodings.ts'
import { RepairLog } from './caption-formats/repair-log.ts'
import { type DetectedEncoding, detectEncoding } from './detect-encoding.ts'

/** A caption file as text. */
interface DecodedCaptions extends DetectedEncoding {
  text: string
  log: RepairLog
}

/** Of the units of UTF-16 so many have a zero in their upper half where times are digits, and in no other encoding. */
const ZEROS_MIN = 0.15
const ZEROS_MAX = 0.02
const ZEROS_SAMPLE_BYTES = 4_096
/** For one byte that is no UTF-8 so many letters that are. */
const LETTERS_PER_BAD_BYTE = 4
const NEWLINE = 10

function findMark([first, second]: Uint8Array): CaptionEncoding | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

function findUtf16(bytes: Uint8Array): CaptionEncoding | null {
  const size = Math.min(bytes.length, ZEROS_SAMPLE_BYTES)
  const zeros = [0, 0]
  for (let at = 0; at < size; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros.map((count) => count / Math.max(1, size / 2))
  if (odd >= ZEROS_MIN && even <= ZEROS_MAX) return 'utf-16le'
  return even >= ZEROS_MIN && odd <= ZEROS_MAX ? 'utf-16be' : null
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

/** How many bytes a letter of UTF-8 has at this place; 0 where it is none. */
function letterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4) return 0
  for (let next = 1; next < length; next += 1) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return decodeStrictly(bytes.subarray(at, at + length)) === null ? 0 : length
}

/** Reads UTF-8 of which single bytes are wrong, each as Windows-1252 has it; null where too many are. */
function decodeDamaged(bytes: Uint8Array): DecodedCaptions | null {
  const log = new RepairLog()
  const latin = new TextDecoder('windows-1252')
  const pieces: string[] = []
  let [letters, bad, from, lineIndex] = [0, 0, 0, 0]
  const addUntil = (at: number) => pieces.push(new TextDecoder().decode(bytes.subarray(from, at)))
  for (let at = 0; at < bytes.length; ) {
    const length = letterLength(bytes, at)
    if (length > 1) letters += 1
    if (bytes[at] === NEWLINE) lineIndex += 1
    if (length === 0) {
      bad += 1
      log.note(lineIndex, 'bad_byte')
      addUntil(at)
      pieces.push(latin.decode(bytes.subarray(at, at + 1)))
      from = at + 1
    }
    at += Math.max(1, length)
  }
  if (bad * LETTERS_PER_BAD_BYTE > letters) return null
  addUntil(bytes.length)
  return { text: pieces.join(''), encoding: 'utf-8', alternatives: [], log }
}

/**
 * Decodes the bytes of a caption file: as asked for, by the byte order mark, as UTF-8, as UTF-16 without a mark, or as
 * what its letters are most likely to be.
 */
export function decodeCaptions(bytes: Uint8Array, charset?: CaptionEncoding): DecodedCaptions {
  const known = charset ?? findMark(bytes) ?? findUtf16(bytes)
  const text = known === null ? decodeStrictly(bytes) : new TextDecoder(known).decode(bytes)
  if (text !== null) return { text, encoding: known ?? 'utf-8', alternatives: [], log: new RepairLog() }
  const damaged = decodeDamaged(bytes)
  if (damaged !== null) return damaged
  const detected = detectEncoding(bytes)
  return { ...detected, text: new TextDecoder(detected.encoding).decode(bytes), log: new RepairLog() }
}
