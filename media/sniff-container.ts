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
  for (let offset = EBML_MAGIC.length; offset + 3 < first.length; offset++) {
    if (first[offset] !== EBML_DOCTYPE[0] || first[offset + 1] !== EBML_DOCTYPE[1]) continue
    // A size of one byte has its highest bit set; no doctype is longer than that allows.
    const size = (first[offset + 2] ?? 0) & 0x7f
    const doctype = ascii(first, offset + 3, offset + 3 + size).split('\0', 1)[0]
    if (doctype === 'webm') return 'video/webm'
    if (doctype === 'matroska') return 'video/x-matroska'
  }
  return null
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end))
}
