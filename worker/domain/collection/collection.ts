import type { CollectionPatch, ListedCollection, NewCollection } from '#contract/collection.ts'
import { COLLECTIONS_MAX } from '#contract/limits.ts'
import { collectionPath } from '#contract/share-page.ts'
import { lengthOf } from '#contract/time/time-ranges.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { asLearnersSee } from '#worker/domain/module/learner-source.ts'
import { hasLinkEnded, isForOthers, linkIdOf } from '#worker/domain/module/link-state.ts'
import { isModuleId, makeModuleId } from '#worker/domain/module/module-id.ts'
import { listCards, type ModuleCardRow } from '#worker/domain/module/module-list-store.ts'
import { managesModules } from '#worker/domain/organization/membership.ts'
import { countStepsOf } from '#worker/domain/step/step-store.ts'
import { listPublishedHeads } from '#worker/domain/version/version-store.ts'
import type { Caller } from '#worker/ports/identity.ts'
import {
  type CollectionRow,
  deleteCollection,
  findCollection,
  insertCollection,
  updateCollection,
} from './collection-store.ts'

/** The answer for missing, un-shared and foreign collections alike. */
function collectionNotFound(): AppError {
  return new AppError('not_found', 'This collection could not be found or is no longer available.')
}

async function findById(db: Db, id: string): Promise<CollectionRow | null> {
  return isModuleId(id) ? findCollection(db, id) : null
}

/**
 * Finds a collection for its owner: the organization that was active when it was made, while that is active, or else
 * the person who made it. One owner alone, since its modules are shown to whom it is.
 * @throws {AppError} not_found
 */
export async function getOwnCollection(db: Db, { userId, orgId }: Caller, id: string): Promise<CollectionRow> {
  const row = await findById(db, id)
  const isOwn = row !== null && (row.orgId === null ? row.userId === userId : row.orgId === orgId)
  if (!isOwn) throw collectionNotFound()
  return row
}

/** For anyone with the link. @throws {AppError} not_found */
export async function getSharedCollection(db: Db, id: string): Promise<CollectionRow> {
  const row = await findById(db, id)
  if (!row?.shared) throw collectionNotFound()
  return row
}

/** Makes a collection without modules. @throws {AppError} invalid_request when its owner has too many */
export async function makeCollection(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  { userId, orgId }: Caller,
  { title }: NewCollection,
): Promise<CollectionRow> {
  const row = { id: makeModuleId(), userId, orgId, title, createdAt: nowMs() }
  if (await insertCollection(db, row)) return { ...row, moduleIds: [], shared: true, updatedAt: row.createdAt }
  throw new AppError('invalid_request', `There are ${COLLECTIONS_MAX} collections already. Delete one to make another.`)
}

/**
 * Changes a collection. Of its new modules those stay that its owner has, each once; another owner's are left out like
 * missing ones.
 * @throws {AppError} not_found when it was deleted meanwhile
 */
export async function changeCollection(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  row: CollectionRow,
  { moduleIds, ...patch }: CollectionPatch,
): Promise<CollectionRow> {
  const memberIds = moduleIds && (await listModulesOf(db, { ...row, moduleIds })).map(({ id }) => id)
  const members = memberIds === undefined ? {} : { moduleIds: memberIds }
  const changed = await updateCollection(db, row.id, { ...patch, ...members, updatedAt: nowMs() })
  if (changed === null) throw collectionNotFound()
  return changed
}

/**
 * Deletes a collection for good; its modules stay. Assignments of it end, which the sweep records.
 * @throws {AppError} not_found for those who may not
 */
export async function removeCollection(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const row = await getOwnCollection(db, caller, id)
  if (!mayDeleteCollection(caller, row)) throw collectionNotFound()
  await deleteCollection(db, row.id, nowMs())
}

/** Deleting is for the person who made it, and for those who manage the organization's modules. */
export function mayDeleteCollection(caller: Caller, { userId, orgId }: CollectionRow): boolean {
  return userId === caller.userId || (orgId !== null && orgId === caller.orgId && managesModules(caller))
}

/** Lists the modules of a collection in its order, each once, as far as its owner still has them. */
export async function listModulesOf(
  db: Db,
  { userId, orgId, moduleIds }: Pick<CollectionRow, 'userId' | 'orgId' | 'moduleIds'>,
): Promise<ModuleCardRow[]> {
  if (moduleIds.length === 0) return []
  const found = new Map((await listCards(db, { userId, orgId }, moduleIds)).map((row) => [row.id, row]))
  return [...new Set(moduleIds)].flatMap((id) => found.get(id) ?? [])
}

/** A module as the page of a collection shows it; with the length of what is shown. */
export type SharedMember = Pick<ModuleCardRow, 'id' | 'title' | 'hasPoster' | 'durationMs' | 'linkEndsAt'> & {
  /** In the address of its link. */
  linkId: string
  stepCount: number
  /** Whether its link asks for a password: the page says nothing else of it. */
  isLocked: boolean
  /** Whether a model may answer people with its link. */
  hasTutor: boolean
}

/** What stands for a training with a password, whatever there is of it. */
const LOCKED = {
  id: '',
  title: '',
  hasPoster: false,
  durationMs: null,
  stepCount: 0,
  isLocked: true,
  hasTutor: false,
} as const

/** Reads what anyone with the link sees of a collection: modules that are shared and have something to show. */
export async function readShared(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  row: CollectionRow,
): Promise<SharedMember[]> {
  const now = nowMs()
  const shared = (await listModulesOf(db, row)).filter((module) => isForOthers(module) && !hasLinkEnded(module, now))
  const ids = shared.map(({ id }) => id)
  const [counts, published] = await Promise.all([countStepsOf(db, ids), listPublishedHeads(db, shared)])
  return shared
    .map(asLearnersSee)
    .flatMap(({ id, hasPoster, durationMs: wholeMs, cuts, status, linkEndsAt, ...draft }) => {
      const linkId = linkIdOf({ id, linkCode: draft.linkCode })
      if (draft.linkPassword !== null) return { ...LOCKED, linkId, linkEndsAt }
      const { title, stepCount } = published.get(id) ?? { title: draft.title, stepCount: counts.get(id) ?? 0 }
      const hasTutor = (draft.linkAnswersPerDay ?? 0) > 0
      const durationMs = wholeMs === null ? null : wholeMs - Math.round(lengthOf(cuts) * 1000)
      return status === 'FAILED' && stepCount === 0
        ? []
        : { id, linkId, linkEndsAt, title, hasPoster, durationMs, stepCount, isLocked: false, hasTutor }
    })
}

/** Presents what every answer says of a collection to its owner. */
export function presentHead(caller: Caller, row: CollectionRow): Omit<ListedCollection, 'moduleCount'> {
  const { id, title, shared } = row
  return { id, title, shared, shareUrl: collectionPath(id), mayDelete: mayDeleteCollection(caller, row) }
}
