import { analyse } from 'chardet'
import type { CaptionEncoding } from '#contract/captions/encodings.ts'

/**
 * What the detector finds, as `TextDecoder` reads it. The encodings of ISO are subsets of those of Windows, but for
 * Polish, Cyrillic and Arabic, whose letters lie elsewhere, and which no caption tool writes.
 */
const BY_NAME: Record<string, CaptionEncoding> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-9': 'windows-1254',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'windows-1252': 'windows-1252',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
  'windows-1255': 'windows-1255',
  'windows-1256': 'windows-1256',
  'KOI8-R': 'koi8-r',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  GB18030: 'gb18030',
  Big5: 'big5',
  'EUC-KR': 'euc-kr',
}
/** Enough to tell languages apart; more only takes time. */
const SAMPLE_BYTES = 16 * 1024
/** Fewer say nothing; most files are from the west. */
const JUDGED_MIN_BYTES = 8
/** Of a hundred: where the second best is no further behind, a person should look. */
const CLOSE = 15
const NEWLINE = 10
const RETURN = 13
const FIRST_HIGH_BYTE = 0x80

/** What bytes are most likely to be, and what else nearly as much. */
export interface DetectedEncoding {
  encoding: CaptionEncoding
  alternatives: CaptionEncoding[]
}

/** The lines that are not plain ASCII; times and numbers say nothing of a language. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, SAMPLE_BYTES))
  let size = 0
  let from = 0
  let isHigh = false
  for (let at = 0; at <= bytes.length && size < sample.length; at += 1) {
    const byte = bytes[at] ?? NEWLINE
    if (byte >= FIRST_HIGH_BYTE) isHigh = true
    if (byte !== NEWLINE && byte !== RETURN) continue
    const line = bytes.subarray(from, Math.min(at + 1, from + sample.length - size))
    if (isHigh) sample.set(line, size)
    if (isHigh) size += line.length
    from = at + 1
    isHigh = false
  }
  return sample.subarray(0, size)
}

/** Whether all of the bytes stand for something in an encoding. */
function isWhole(bytes: Uint8Array, encoding: CaptionEncoding): boolean {
  return !new TextDecoder(encoding).decode(bytes).includes('\ufffd')
}

/** Finds the encoding of bytes that are no UTF-8. */
export function detectEncoding(bytes: Uint8Array): DetectedEncoding {
  const sample = sampleOf(bytes)
  if (sample.length < JUDGED_MIN_BYTES) return { encoding: 'windows-1252', alternatives: [] }
  const found = new Map<CaptionEncoding, number>()
  for (const { name, confidence } of analyse(sample)) {
    const encoding = BY_NAME[name]
    if (encoding !== undefined && isWhole(bytes, encoding)) {
      found.set(encoding, Math.max(confidence, found.get(encoding) ?? 0))
    }
  }
  const [[encoding, best] = ['windows-1252', 0] as const, ...others] = [...found].toSorted(([, a], [, b]) => b - a)
  const close = others.filter(([, confidence]) => best - confidence <= CLOSE).map(([name]) => name)
  return { encoding, alternatives: close.filter((name) => readsOther(sample, [encoding, name])) }
}

/** Whether two encodings make different texts of the same bytes. */
function readsOther(bytes: Uint8Array, [one, other]: readonly [CaptionEncoding, CaptionEncoding]): boolean {
  return new TextDecoder(one).decode(bytes) !== new TextDecoder(other).decode(bytes)
}
