import type fc from 'fast-check'
import type { z } from 'zod'

/**
 * Who may call a route.
 * - `anyone`: also without the id of a module
 * - `ticket`: anyone with a ticket, signed in or not; no caller in these tests has one
 * - `link`: anyone with the id of a shared module
 * - `user`: every signed-in user, about themselves
 * - `viewer`: every signed-in user with the id of a shared module, its owners and who was invited to edit it
 * - `owner`: the uploader and the members of the organization that was active at the upload
 * - `editor`: these, and who was invited to edit the module
 * - `member`: members of the organization whose collection it is, while that one is active
 * - `manager`: those who manage that organization's modules, by the role admin or by the permission for it
 * - `admin`: those who manage the modules of whichever organization is active
 * - `inspector`: the uploader, these managers, and operators
 * - `deleter`: the uploader and these managers
 */
export type Access =
  | 'anyone'
  | 'ticket'
  | 'link'
  | 'user'
  | 'viewer'
  | 'owner'
  | 'editor'
  | 'inspector'
  | 'deleter'
  | 'manager'
  | 'admin'
  | 'member'

/** Who may call a route, the least that it takes, and what the contract says of it. */
export interface RouteRow {
  access: Access
  /** Whether a token is read at all, by default where a sign-in is needed. An invalid one is refused only where it is read. */
  readsToken?: true

  /** Status for callers who may, 200 by default. The call below makes sense, so it is no refusal. */
  ok?: number
  /** What stands behind the question mark. */
  search?: string
  json?: unknown
  /** A body that is no JSON. */
  text?: string
  headers?: Record<string, string>

  body?: z.ZodType
  query?: z.ZodType
  /** Of an answer 200 in JSON. */
  answer?: z.ZodType
  /** Bodies that are no JSON: the kind of bytes that a right one begins with. */
  bytes?: 'image' | 'captions' | 'recording'
  /** Answers 501 where this system cannot do it, which is no fault. */
  mayLack?: true
  /** Headers of every fuzzed call, besides those of its body. */
  fuzzHeaders?: [name: string, value: string][]
  /** Values that mean something to this route, by the name of the field or parameter. */
  meant?: Record<string, fc.Arbitrary<unknown>>

  /** Why a route that needs no sign-in has no limit in `CALL_LIMITS`. */
  uncounted?: string
  /** For a route that writes and reserves no rows before the call: what bounds the rows of a day instead. */
  rows?: string
}

/** Whether anyone may call a route without signing in. */
export function isOpen({ access }: RouteRow): boolean {
  return access === 'anyone' || access === 'ticket' || access === 'link'
}

export const WRITTEN_BEFORE = 'what it deletes, which was written before'
export const NOTHING = 'writes no row'
