import { and, desc, eq } from 'drizzle-orm'
import {
  SMALL_COPIES_LISTED_MAX,
  SMALL_COPY_FROM_BITS_PER_S,
  SMALL_COPY_FROM_BYTES,
  type SmallCopy,
} from '#contract/small-copy.ts'
import { lengthOf, subtract } from '#contract/time/time-ranges.ts'
import type { Db } from '#worker/db/db.ts'
import { LACKS_SMALL_COPY, modules, type StoredSmallCopy } from '#worker/db/schema.ts'
import { listOwnerOf } from '#worker/domain/organization/membership.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { moduleNotFound } from './get-module.ts'
import type { ModuleRow } from './module-store.ts'
import type { Source } from './serve-source.ts'

/** Where the small copies of a module lie. An object never changes; the module's row names the one that is served. */
export function smallCopiesOf(moduleId: string): string {
  return `small/${moduleId}/`
}

/** The small copy of a module as the wire shows it; null where there is none that has all that is shown. */
export function presentSmallCopy(module: Pick<ModuleRow, 'smallCopy' | 'cuts'>): SmallCopy | null {
  const { smallCopy } = module
  if (smallCopy?.kind !== 'made' || isTooShort(module)) return null
  return { sizeBytes: smallCopy.sizeBytes, codec: smallCopy.codec }
}

/** Seconds of the video that its small copy does not have. */
export function secondsLackedBy({ smallCopy }: Pick<ModuleRow, 'smallCopy'>): number {
  return smallCopy?.kind === 'made' ? lengthOf(smallCopy.cuts ?? []) : 0
}

/** Whether something is shown that the small copy was made without, after a cut was undone. */
function isTooShort({ smallCopy, cuts }: Pick<ModuleRow, 'smallCopy' | 'cuts'>): boolean {
  return smallCopy?.kind === 'made' && lengthOf(subtract(smallCopy.cuts ?? [], cuts)) > 0
}

/** A small copy in the bucket. */
export type MadeCopy = Extract<StoredSmallCopy, { kind: 'made' }>

/** Whether a small copy is the one that a module names, with the same bytes and the same said of them. */
export function isNamed({ smallCopy }: Pick<ModuleRow, 'smallCopy'>, copy: MadeCopy): boolean {
  if (smallCopy?.kind !== 'made') return false
  const { key, etag, codec } = copy
  const isSame = smallCopy.key === key && smallCopy.etag === etag && smallCopy.codec === codec
  return isSame && JSON.stringify(smallCopy.cuts ?? []) === JSON.stringify(copy.cuts ?? [])
}

/** Finds what of a module's small copy is served. @throws {AppError} not_found where there is none */
export function getSmallSource({ smallCopy }: Pick<ModuleRow, 'smallCopy'>): Source {
  if (smallCopy?.kind !== 'made') throw moduleNotFound()
  const { key, etag, sizeBytes } = smallCopy
  return { key, etag, sizeBytes, contentType: 'video/mp4', earlyIndex: null }
}

/** Removes the small copy of the video that learners had, once they have that of the draft. */
export async function removeLearnerCopy(bucket: R2Bucket, { learnerSource }: Pick<ModuleRow, 'learnerSource'>) {
  if (learnerSource?.smallCopy?.kind === 'made') await bucket.delete(learnerSource.smallCopy.key)
}

/** Names the small copy of a module's video, or that there is to be none. @returns false where its video is another one */
export async function setSmallCopy(
  db: Db,
  { id, sourceKey }: Pick<ModuleRow, 'id' | 'sourceKey'>,
  smallCopy: StoredSmallCopy,
): Promise<boolean> {
  const isSame = and(eq(modules.id, id), eq(modules.sourceKey, sourceKey))
  const rows = await db.update(modules).set({ smallCopy }).where(isSame).returning({ id: modules.id })
  return rows.length === 1
}

/** The query for trainings of the active organization, otherwise of the caller, that lack a small copy, newest first. */
export function selectWithoutSmallCopy(db: Db, caller: Caller) {
  const { column, id } = listOwnerOf(caller)
  const { title, userId, orgId, editedBy } = modules
  return db
    .select({ id: modules.id, title, userId, orgId, editedBy })
    .from(modules)
    .where(and(eq(column === 'org_id' ? modules.orgId : modules.userId, id), LACKS_SMALL_COPY))
    .orderBy(desc(modules.createdAt), desc(modules.id))
    .limit(SMALL_COPIES_LISTED_MAX)
}

type CopiedFields = Pick<ModuleRow, 'status' | 'smallCopy' | 'cuts' | 'sourceSizeBytes' | 'durationMs'>

/**
 * Whether a small copy is to be made of a module, as `LACKS_SMALL_COPY` says in SQL; and of one whose copy is too short,
 * which its owner's page makes again.
 */
export function lacksSmallCopy(module: CopiedFields): boolean {
  const { status, smallCopy, sourceSizeBytes, durationMs } = module
  if (isTooShort(module)) return true
  if (status !== 'READY' || smallCopy !== null || sourceSizeBytes === null || durationMs === null) return false
  const isLarge = sourceSizeBytes >= SMALL_COPY_FROM_BYTES
  return isLarge && sourceSizeBytes * 8_000 >= durationMs * SMALL_COPY_FROM_BITS_PER_S
}
