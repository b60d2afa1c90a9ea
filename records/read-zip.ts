const END_OF_DIRECTORY = 0x06054b50
/** Of the two kinds of headers before the name of a file (PKWARE APPNOTE 4.3.7 and 4.3.12), and of the end. */
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22]

/** Opens the files of a ZIP file that is not compressed, by its directory at the end. @throws where it is none */
export async function readZip(zip: Blob): Promise<Map<string, Blob>> {
  const viewOf = async (from: number, sizeBytes: number) =>
    new DataView(await zip.slice(from, from + sizeBytes).arrayBuffer())
  if (zip.size < END_BYTES) throw new Error('The file is not a ZIP file.')
  const endFrom = zip.size - END_BYTES
  const end = await viewOf(endFrom, END_BYTES)
  if (end.getUint32(0, true) !== END_OF_DIRECTORY) throw new Error('The file does not end as a ZIP file.')
  const directoryFrom = end.getUint32(16, true)
  const directory = await viewOf(directoryFrom, endFrom - directoryFrom)
  const files = new Map<string, Blob>()
  let at = 0
  for (let left = end.getUint16(10, true); left > 0; left--) {
    if (directory.getUint16(at + 10, true) !== 0) throw new Error('The files in the ZIP file are compressed.')
    const sizeBytes = directory.getUint32(at + 24, true)
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => directory.getUint16(at + place, true))
    const localFrom = directory.getUint32(at + 42, true)
    const local = await viewOf(localFrom, LOCAL_BYTES)
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + CENTRAL_BYTES, nameBytes))
    const from = localFrom + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true)
    // Another reader could take the other one.
    if (files.has(name)) throw new Error('The ZIP file holds two files of the same name.')
    files.set(name, zip.slice(from, from + sizeBytes))
    at += CENTRAL_BYTES + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
  return files
}
