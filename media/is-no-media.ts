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
