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
  files: ReadonlyMap<string, Blob>,
  { photos, erased }: Pick<ReadChain, 'photos' | 'erased'>,
  report: (finding: Finding) => void,
): Promise<number> {
  const named = new Set([...photos.values()].map(({ hash }) => hash))
  const found = new Map<string, string>()
  for (const [file, blob] of files) {
    if (!file.startsWith(PHOTOS_FOLDER)) continue
    const [, hash = ''] = PHOTO.exec(file) ?? []
    // Twice under one name, or one that no record means: another reader could take it for one of them.
    if (!named.has(hash) || found.has(hash)) report({ code: 'file_changed', file })
    else found.set(hash, await hashBytes(await blob.arrayBuffer()))
  }
  let removed = 0
  for (const { hash, personId, seq } of photos.values()) {
    const actual = found.get(hash)
    if (actual === undefined && erased.has(personId)) removed += 1
    else if (actual === undefined) report({ code: 'photo_missing', seq })
    else if (actual !== hash) report({ code: 'photo_changed', seq })
  }
  return removed
}
