import type { ReadChain } from './check-chain.ts'
import { PHOTOS_FOLDER } from './export-files.ts'
import type { Finding } from './findings.ts'
import { hashBytes } from './hash-record.ts'

/** As `photoFile` names them. */
const PHOTO = /^photos\/([0-9a-f]{64})\.(?:webp|jpg)$/

/**
 * Checks that the photos of an export are those that its records name.
 * @returns how many were removed with the names of their people, as they have to be
 */
export async function checkPhotos(
  files: Iterable<readonly [name: string, blob: Blob]>,
  { photos, erased }: Pick<ReadChain, 'photos' | 'erased'>,
  report: (finding: Finding) => void,
): Promise<number> {
  const named = new Set([...photos.values()].map(({ hash }) => hash))
  const found = new Map<string, { file: string; actual: string }>()
  for (const [file, blob] of files) {
    if (!file.startsWith(PHOTOS_FOLDER)) continue
    const [, hash = ''] = PHOTO.exec(file) ?? []
    const [known, actual] = [found.get(hash), await hashBytes(await blob.arrayBuffer())]
    // Two parts may hold the same photo, of two people. Another one, or one that no record means, could be taken for it.
    const isOther = known !== undefined && (known.file !== file || known.actual !== actual)
    if (!named.has(hash) || isOther) report({ code: 'file_changed', file })
    else found.set(hash, { file, actual })
  }
  let removed = 0
  for (const { hash, personId, seq } of photos.values()) {
    const actual = found.get(hash)?.actual
    if (actual === undefined && erased.has(personId)) removed += 1
    else if (actual === undefined) report({ code: 'photo_missing', seq })
    else if (actual !== hash) report({ code: 'photo_changed', seq })
  }
  return removed
}
