import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm'
/** Several times what all tests together have ever written. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * Makes a folder for databases that nobody needs afterwards: in memory where there is room, because workerd waits for a
 * disk at every write. Programs may not be allowed to run from it.
 */
export function makeWorkFolder(prefix: string, { inMemory = IN_MEMORY, roomBytes = ROOM_BYTES } = {}): string {
  return mkdtempSync(join(hasRoom(inMemory, roomBytes) ? inMemory : tmpdir(), prefix))
}

function hasRoom(folder: string, roomBytes: number): boolean {
  // As much again is left to the programs.
  if (process.availableMemory() < 2 * roomBytes) return false
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= roomBytes
  } catch {
    return false
  }
}
