const DATABASE = 'adapt-uploads'
const STORE = 'handles'

/** A file as the browser lets a page keep it; each session has to ask for permission. */
export interface FileHandle {
  readonly kind: 'file' | 'directory'
  getFile(): Promise<File>
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>
}

/** Where picked files came from; a file that came another way has no entry. */
const handles = new WeakMap<File, FileHandle>()

export function noteHandle(file: File, handle: FileHandle): void {
  handles.set(file, handle)
}

/** @returns undefined for a file that the browser keeps no way back to */
export function findHandle(file: File): FileHandle | undefined {
  return handles.get(file)
}

/** Files of unfinished uploads, so that resuming after a reload takes one click. Never throws. */
export const keptFiles = {
  async keep(moduleId: string, file: File): Promise<void> {
    const handle = findHandle(file)
    if (handle) await inStore('readwrite', (store) => store.put(handle, moduleId))
  },
  async find(moduleId: string): Promise<FileHandle | null> {
    const found = await inStore('readonly', (store) => store.get(moduleId))
    return (found as FileHandle | undefined) ?? null
  },
  async forget(moduleId: string): Promise<void> {
    await inStore('readwrite', (store) => store.delete(moduleId))
  },
}
export type KeptFiles = typeof keptFiles

/** @returns undefined where the browser has no store for us (private windows, full disks): a comfort, not a need. */
async function inStore<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  if (typeof indexedDB === 'undefined') return undefined
  try {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    const database = await settle(opening)
    try {
      return await settle(act(database.transaction(STORE, mode).objectStore(STORE)))
    } finally {
      database.close()
    }
  } catch (error) {
    console.warn('The browser keeps no files for later', error)
    return undefined
  }
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Asks for permission where it has lapsed; only inside a click. @returns null when it is refused or the file is gone. */
export async function openKept(handle: FileHandle): Promise<File | null> {
  try {
    const mode = { mode: 'read' } as const
    let permission = (await handle.queryPermission?.(mode)) ?? 'granted'
    if (permission === 'prompt') permission = (await handle.requestPermission?.(mode)) ?? 'denied'
    if (permission !== 'granted') return null
    const file = await handle.getFile()
    noteHandle(file, handle)
    return file
  } catch {
    // Moved, renamed or removed meanwhile: the person selects it instead.
    return null
  }
}

const PREFIX = 'adapt-upload:'

/** Which uploads are on their way in any tab of this browser, so that none is resumed twice. */
export const uploadLocks = {
  /** @returns a function that releases the lock; the browser releases it for a closed tab. */
  hold(moduleId: string): () => void {
    const held = Promise.withResolvers<void>()
    void navigator.locks.request(PREFIX + moduleId, () => held.promise)
    return held.resolve
  },
  async list(): Promise<ReadonlySet<string>> {
    const { held = [] } = await navigator.locks.query()
    const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
    return new Set(names)
  },
}
export type UploadLocks = typeof uploadLocks
