import type { ModuleListRequest } from '#contract/module.ts'
import type { Db } from '#worker/db/db.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { type ListPlace, type ModuleCardRow, selectPage } from './module-list-store.ts'

/** One page of a list. */
export interface ModulePage {
  rows: ModuleCardRow[]
  /** Null at the end. */
  nextCursor: string | null
}

/**
 * One page of the caller's modules. Modules that come or go meanwhile make the pages after it neither skip nor repeat
 * one.
 * @throws {AppError} invalid_request for a cursor that is not ours
 */
export async function listPage(
  db: Db,
  caller: Caller,
  { limit, cursor, search }: Required<Pick<ModuleListRequest, 'limit' | 'search'>> & { cursor?: string | undefined },
): Promise<ModulePage> {
  const after = cursor === undefined ? null : readCursor(cursor)
  // One more row than the page has shows whether there is a next page.
  const found = await selectPage(db, caller, { limit: limit + 1, after, search })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextCursor: found.length > limit && last !== undefined ? writeCursor(last) : null }
}

/** Opaque to clients; inside, the last module of the page before. */
function writeCursor({ createdAt, id }: ListPlace): string {
  return btoa(`${createdAt}/${id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const PLACE = /^(\d{1,16})\/([\w-]{1,64})$/

function readCursor(cursor: string): ListPlace {
  const [, createdAt, id] = PLACE.exec(decode(cursor)) ?? []
  if (createdAt === undefined || id === undefined) throw new AppError('invalid_request', 'cursor is invalid')
  return { createdAt: Number(createdAt), id }
}

function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
