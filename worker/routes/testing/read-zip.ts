const END_OF_DIRECTORY = 0x06054b50
/** Of the two kinds of headers before the name of a file (PKWARE APPNOTE 4.3.7 and 4.3.12). */
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22]

/** Reads the files of a ZIP file that is not compressed, by its directory at the end. */
export function readZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.byteLength - END_BYTES
  if (view.getUint32(end, true) !== END_OF_DIRECTORY) throw new Error('does not end with a directory')
  const files = new Map<string, Uint8Array>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint16(at + 10, true) !== 0) throw new Error('is compressed')
    const [sizeBytes, nameBytes, extraBytes] = [at + 24, at + 28, at + 30].map((place, index) =>
      index === 0 ? view.getUint32(place, true) : view.getUint16(place, true),
    ) as [number, number, number]
    const local = view.getUint32(at + 42, true)
    const name = new TextDecoder().decode(bytes.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes))
    const from = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    files.set(name, bytes.slice(from, from + sizeBytes))
    at += CENTRAL_BYTES + nameBytes + extraBytes + view.getUint16(at + 32, true)
  }
  return files
}
