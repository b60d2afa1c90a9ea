import pRetry, { type Options } from 'p-retry'

const ROOT = 'adapt-converted'

/** As long as an upload can be continued. */
const KEPT_MS = 24 * 60 * 60_000

/** Bytes of a file in the browser's own storage, written at once; only web workers have it. */
interface SyncFile {
  write(data: Uint8Array<ArrayBuffer>, to: { at: number }): number
  truncate(sizeBytes: number): void
  flush(): void
  close(): void
}

type SyncHandle = FileSystemFileHandle & { createSyncAccessHandle?: () => Promise<SyncFile> }

/** Rejects, as one that is refused does, also where a browser has no storage at all. */
async function openRoot(): Promise<FileSystemDirectoryHandle> {
  const storage = await navigator.storage.getDirectory()
  return storage.getDirectoryHandle(ROOT, { create: true })
}

/** Whether a video can be written in this browser, in a web worker. */
export async function canStore(): Promise<boolean> {
  const isThere = 'FileSystemFileHandle' in globalThis && 'createSyncAccessHandle' in FileSystemFileHandle.prototype
  // Private windows may have the calls, and no storage.
  return isThere && (await openRoot().then(Boolean, () => false))
}

/**
 * Whether storage has room for so many bytes more, once conversions of the days before are gone. A browser that does not
 * say how much there is is tried.
 */
export async function hasRoomFor(sizeBytes: number): Promise<boolean> {
  await removeOldConversions(Date.now())
  if (!('estimate' in navigator.storage)) return true
  const { quota, usage = 0 } = await navigator.storage.estimate()
  return quota === undefined || quota - usage >= sizeBytes
}

export function storageIsFull(): DOMException {
  return new DOMException('The storage of the browser is full', 'QuotaExceededError')
}

/** Makes an empty file, in a web worker. */
export async function createTarget(folder: string, name: string): Promise<SyncFile> {
  const inFolder = await (await openRoot()).getDirectoryHandle(folder, { create: true })
  const handle: SyncHandle = await inFolder.getFileHandle(name, { create: true })
  // not-shown: for developers.
  if (handle.createSyncAccessHandle === undefined) throw new Error('This browser cannot write into its storage')
  return handle.createSyncAccessHandle()
}

/** A finished file, by a handle that a later visit of the page can open again. */
export async function findConverted(folder: string, name: string): Promise<FileSystemFileHandle> {
  return (await (await openRoot()).getDirectoryHandle(folder)).getFileHandle(name)
}

/** Removes a conversion. Never rejects: what is left goes with {@link removeOldConversions}. */
export async function removeConversion(folder: string): Promise<void> {
  try {
    const root = await openRoot()
    // A web worker that was ended holds its file for a moment.
    await pRetry(() => root.removeEntry(folder, { recursive: true }), {
      retries: 5,
      minTimeout: 100,
      shouldRetry: isHeld,
    })
  } catch (error) {
    if (!isMissing(error)) console.info('A converted video is removed later', error)
  }
}

const isHeld: Options['shouldRetry'] = ({ error }) => !isMissing(error)

function isMissing(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotFoundError'
}

/**
 * A folder for one conversion; its name says since when it is there.
 * @param what what is in it, where that is one of a kind
 */
export function nameFolder(nowMs: number, what: string = crypto.randomUUID()): string {
  return `${nowMs}-${what}`
}

/** Removes all that is one of a kind, also what a page has left that was closed meanwhile. Never rejects. */
export async function removeConversionsOf(what: string): Promise<void> {
  const root = await openRoot().catch(() => null)
  if (root === null) return
  for await (const folder of root.keys()) if (folder.endsWith(`-${what}`)) await removeConversion(folder)
}

/** Removes conversions of uploads that were never finished. */
async function removeOldConversions(nowMs: number): Promise<void> {
  const root = await openRoot()
  for await (const folder of root.keys()) {
    if (nowMs - Number.parseInt(folder, 10) > KEPT_MS) await removeConversion(folder)
  }
}
