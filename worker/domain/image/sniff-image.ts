/** What a image is by its first bytes, whatever it is called; null for all but WebP and JPEG. */
export function sniffImage(bytes: Uint8Array): 'image/webp' | 'image/jpeg' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  return textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP' ? 'image/webp' : null
}

function textAt(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4))
}
