/** What opens a module's socket: the ticket of an owner, of another person with an account, or of anyone with the link. */
export type Watcher = 'owner' | 'viewer' | 'anyone'

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
