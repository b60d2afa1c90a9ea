import type { CaptionEncoding } from '#contract/captions/encodings.ts'

/** First bytes of letters of two, and the second bytes that any of the encodings has. */
const HIGH = { from: 0x80, to: 0xff }
const SECOND = { from: 0x40, to: 0xff }

const tables = new Map<CaptionEncoding, Map<string, number[]>>()

/** There is no encoder for these: the table is the decoder's, turned around. */
function openTable(encoding: CaptionEncoding): Map<string, number[]> {
  const known = tables.get(encoding)
  if (known !== undefined) return known
  const table = new Map<string, number[]>()
  const add = (bytes: number[]) => {
    const text = new TextDecoder(encoding).decode(new Uint8Array(bytes))
    if (Array.from(text).length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let byte = 0; byte <= HIGH.to; byte += 1) add([byte])
  for (let first = HIGH.from; first <= HIGH.to; first += 1)
    for (let second = SECOND.from; second <= SECOND.to; second += 1) add([first, second])
  tables.set(encoding, table)
  return table
}

/** Encodes a text. */
export function encodeText(text: string, encoding: CaptionEncoding): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-8') return Uint8Array.from(new TextEncoder().encode(text))
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    const isLittle = encoding === 'utf-16le'
    return Uint8Array.from(units.flatMap((unit) => (isLittle ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff])))
  }
  const table = openTable(encoding)
  return Uint8Array.from(
    Array.from(text).flatMap((letter) => {
      const bytes = table.get(letter)
      if (bytes === undefined) throw new Error(`${encoding} has no ${letter}`)
      return bytes
    }),
  )
}
