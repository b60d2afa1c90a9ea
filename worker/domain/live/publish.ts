import type { LiveEvent } from '#contract/live.ts'
import type { ModuleRole } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { presentNewVersion, presentState, uploadPercentOf } from '#worker/domain/module/module-list-store.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { currentTrace, logLine } from '#worker/log/log.ts'

/** What opens a module's socket: the ticket of an owner, of another person with an account, or of anyone with the link. */
export type Watcher = 'owner' | 'viewer' | 'anyone'

/** Names what a ticket is of: places are kept for owners, who are also told of dangers. */
export function watcherOf({ userId, role }: { userId: string | null; role: ModuleRole }): Watcher {
  if (userId === null) return 'anyone'
  return role === 'owner' ? 'owner' : 'viewer'
}

/** Names the kind of watcher to a room. Only the route sets it, from a ticket that it has verified. */
export const WATCHER_HEADER = 'x-adapt-watcher'

/**
 * Sockets of one room. A socket takes at most some 30 kB of the 128 MB that an object has, so 2,000 take half of
 * it, and an event of 300 bytes to all of them is 600 kB. A page that finds no place asks every five seconds, as all do.
 */
export const ROOM_SOCKETS_MAX = 2_000
/** Places of them that only owners take, so that strangers cannot keep them out: each member of a large team once. */
export const OWNER_SOCKETS_RESERVED = 200
/** An owner's socket that is older is closed instead of getting an event; its client reconnects with a new ticket. */
export const OWNER_SOCKET_MAX_AGE_MS = 15 * 60_000

/** Whether a room has a place for one more. */
export function hasPlace(watcher: Watcher, { owners, all }: { owners: number; all: number }): boolean {
  if (all >= ROOM_SOCKETS_MAX) return false
  return watcher === 'owner' || all - owners < ROOM_SOCKETS_MAX - OWNER_SOCKETS_RESERVED
}

/** What the room adds its sequence number to. */
export type Announcement = Omit<LiveEvent, 'seq'>

/** The module, run and request of an announcement; not sent to watchers. */
export interface PublishedOf {
  moduleId: string
  run: number
  requestId?: string | undefined
}

/** Reaches the room of a module; there is one of each, wherever it is called from. */
export function roomOf({ rooms }: Pick<Context, 'rooms'>, moduleId: string) {
  return rooms.get(rooms.idFromName(moduleId))
}

/**
 * Publishes the current state of a module to everyone who watches it. Advisory: an unreachable room costs its watchers
 * at most one poll, so a failure here is logged and never fails the work that it reports.
 */
export async function publishModule(context: Pick<Context, 'db' | 'rooms'>, moduleId: string): Promise<void> {
  try {
    const module = await findModule(context.db, moduleId)
    if (module !== null) await publishState(context.rooms, module)
  } catch (error) {
    logLine('warn', 'publish_failed', { moduleId, ...faultOf(error) })
  }
}

/** The same with what a job has just written and therefore knows. */
export async function publishState(rooms: Env['MODULE_ROOM'], module: ModuleRow): Promise<void> {
  const { id: moduleId, run } = module
  try {
    const of = { moduleId, run, requestId: currentTrace().requestId }
    await roomOf({ rooms }, moduleId).publish(announce(module), of)
  } catch (error) {
    logLine('warn', 'publish_failed', { moduleId, ...faultOf(error) })
  }
}

/** Tells owners who watch a module that a danger was reported; their page asks for it at the latest with its next poll. */
export async function publishDanger({ rooms }: Pick<Context, 'rooms'>, module: ModuleRow): Promise<void> {
  try {
    await roomOf({ rooms }, module.id).warn({ ...announce(module), danger: true }, module.id)
  } catch (error) {
    logLine('warn', 'publish_failed', { moduleId: module.id, ...faultOf(error) })
  }
}

function announce(module: ModuleRow): Announcement {
  const { stepsVersion, segmentCount } = module
  const state = { ...presentState(module), stepsVersion, segmentCount, uploadPercent: uploadPercentOf(module) }
  const newVersion = presentNewVersion(module)
  return { kind: 'module', ...state, ...(newVersion && { newVersion }) }
}
