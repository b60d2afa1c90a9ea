/** Containers that Adapt accepts, by the type that their first bytes show. */
export type VideoContainer = 'video/mp4' | 'video/quicktime' | 'video/webm' | 'video/x-matroska'

/** As many bytes of an object as {@link sniffContainer} needs; an EBML head may carry padding before its doctype. */
export const SNIFF_BYTES = 4096

const EBML_MAGIC = [0x1a, 0x45, 0xdf, 0xa3] as const
const EBML_DOCTYPE = [0x42, 0x82] as const
/** First boxes of QuickTime files that were written without `ftyp`. */
const QUICKTIME_FIRST_BOXES: ReadonlySet<string> = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

/**
 * Finds the container from the first bytes of a file, whatever its name and declared type say. Null: not a video that
 * Adapt can open. An MP4 and a WebM that hold only audio look the same from here; their tracks differ.
 */
export function sniffContainer(first: Uint8Array): VideoContainer | null {
  return sniffIsoMedia(first) ?? sniffEbml(first)
}

/** Whether a container is built of boxes: MP4 and what it came from. */
export function isIsoMedia(container: string | null): boolean {
  return container === 'video/mp4' || container === 'video/quicktime'
}

function sniffIsoMedia(first: Uint8Array): VideoContainer | null {
  if (first.length < 12) return null
  const box = ascii(first, 4, 8)
  if (box === 'ftyp') return ascii(first, 8, 12) === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  return QUICKTIME_FIRST_BOXES.has(box) ? 'video/quicktime' : null
}

function sniffEbml(first: Uint8Array): VideoContainer | null {
  if (!EBML_MAGIC.every((byte, i) => first[i] === byte)) return null
  for (let at = EBML_MAGIC.length; at + 3 < first.length; at++) {
    if (first[at] !== EBML_DOCTYPE[0] || first[at + 1] !== EBML_DOCTYPE[1]) continue
    // A size of one byte has its highest bit set; no doctype is longer than that allows.
    const size = (first[at + 2] ?? 0) & 0x7f
    const doctype = ascii(first, at + 3, at + 3 + size).split('\0', 1)[0]
    if (doctype === 'webm') return 'video/webm'
    if (doctype === 'matroska') return 'video/x-matroska'
  }
  return null
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end))
}

const codesOf = (text: string) => Array.from(text, (char) => char.charCodeAt(0))

/** How containers begin that Adapt cannot open, and where. @see the file signatures of each format */
const FOREIGN: readonly { name: string; at: number; bytes: readonly number[] }[] = [
  { name: 'AVI', at: 8, bytes: codesOf('AVI ') },
  { name: 'WAV', at: 8, bytes: codesOf('WAVE') },
  // MPEG-1 and MPEG-2 program streams, and the bare picture of one.
  { name: 'MPEG', at: 0, bytes: [0, 0, 1, 0xba] },
  { name: 'MPEG', at: 0, bytes: [0, 0, 1, 0xb3] },
  { name: 'Windows Media (WMV)', at: 0, bytes: [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11] },
  { name: 'Flash video (FLV)', at: 0, bytes: codesOf('FLV\u0001') },
  { name: 'Ogg', at: 0, bytes: codesOf('OggS') },
  { name: 'RealMedia', at: 0, bytes: codesOf('.RMF') },
  { name: 'MXF', at: 0, bytes: [0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01] },
  { name: 'MP3', at: 0, bytes: codesOf('ID3') },
]

/** An MPEG transport stream has this byte at the beginning of each packet; those of cameras have four bytes before it. */
const TRANSPORT_SYNC = 0x47
const TRANSPORT_PACKETS = [
  { first: 0, length: 188 },
  { first: 4, length: 192 },
] as const

/**
 * Names the container of a file that `sniffContainer` does not take, by its first bytes. Null: not one that is known by
 * name.
 */
export function nameForeignContainer(first: Uint8Array): string | null {
  const known = FOREIGN.find(({ at, bytes }) => bytes.every((byte, i) => first[at + i] === byte))
  if (known !== undefined) return known.name
  const isTransport = TRANSPORT_PACKETS.some(({ first: at, length }) =>
    [at, at + length, at + 2 * length].every((place) => first[place] === TRANSPORT_SYNC),
  )
  return isTransport ? 'MPEG-TS' : null
}

/** How files begin that are often given a video's name: documents, archives, images. */
const OTHER_BEGINNINGS = [
  [0x25, 0x50, 0x44, 0x46],
  [0x50, 0x4b, 0x03, 0x04],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
] as const

/** Controls that no text holds; tab, line feed, form feed, carriage return and escape are none of them. */
const isNoTextByte = (byte: number) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)

/**
 * Whether the first bytes of a file say for sure that it is no film or audio, but a page, a text, a document or an
 * image under another name. Text is any UTF-8 without control characters; other media always have some.
 */
export function isNoMedia(first: Uint8Array): boolean {
  if (OTHER_BEGINNINGS.some((magic) => magic.every((byte, i) => first[i] === byte))) return true
  if (first.some(isNoTextByte)) return false
  try {
    // The last character may be cut in two.
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(first, { stream: true })
    return true
  } catch {
    return false
  }
}
