import { KEPT_PATH } from '#contract/share-page.ts'

/** The video of a copy, cut into parts so that a range is read without the rest. */
export interface KeptVideo {
  /** Name of the cache that its parts lie in. */
  cache: string
  /** Shows whether the server still has the same. */
  etag: string
  type: string
  sizeBytes: number
  /** Left out in copies of an earlier version, which have the original. */
  quality?: KeptQuality
}

/** Which of a training's two videos. */
export type KeptQuality = 'original' | 'small'

/** A page that this device can open without a network. */
export interface KeptCopy {
  /** Of the page. */
  path: string
  /** Empty for the page that lists the copies. */
  moduleId: string
  title: string
  /** Name of the cache that page, scripts, images and texts lie in. */
  files: string
  video: KeptVideo | null
  /** Of the page's HTML. */
  etag: string
  sizeBytes: number
  keptAtMs: number
  /** When the server last said that this is how it is. */
  checkedAtMs: number
}

/** The service worker answers below these; everybody's own page is a scope of its own (keep-loaded-page.ts). */
export const KEPT_SCOPES = ['/share/', KEPT_PATH]

/** Holds the records of all copies. A copy is there once its record is, which comes last, and gone with it. */
const INDEX = 'adapt_kept'
const PREFIX = `${INDEX}:`

/** Whether this browser can keep pages at all; a private window of some cannot. */
export function canKeep(): boolean {
  return 'serviceWorker' in navigator && 'caches' in globalThis && 'locks' in navigator
}

/** Name of a new cache for something of a copy. */
export function nameCache(path: string): string {
  return `${PREFIX}${path}:${crypto.randomUUID()}`
}

/** A copy by the path of its page; null where none is kept. */
export async function findCopy(path: string): Promise<KeptCopy | null> {
  if (!(await caches.has(INDEX))) return null
  const found = await (await caches.open(INDEX)).match(path)
  return found === undefined ? null : ((await found.json()) as KeptCopy)
}

/** All trainings that are kept, the newest first. */
export async function listCopies(): Promise<KeptCopy[]> {
  const copies = await readIndex()
  return copies.filter(({ moduleId }) => moduleId !== '').toSorted((a, b) => b.keptAtMs - a.keptAtMs)
}

async function readIndex(): Promise<KeptCopy[]> {
  const index = await caches.open(INDEX)
  const answers = await index.matchAll()
  return Promise.all(answers.map((answer) => answer.json() as Promise<KeptCopy>))
}

/** Makes a copy the one that is opened from now on, and deletes what the one before it does not share with it. */
export async function putCopy(copy: KeptCopy): Promise<void> {
  const index = await caches.open(INDEX)
  await index.put(copy.path, Response.json(copy))
  await sweepCaches(copy.path)
}

/** Nothing of the copy stays. */
export async function removeCopy(path: string): Promise<void> {
  await (await caches.open(INDEX)).delete(path)
  await sweepCaches(path)
}

/** Deletes caches of a page that its record does not name, such as those that a crash has left. */
export async function sweepCaches(path: string): Promise<void> {
  const copy = await findCopy(path)
  const named = new Set([copy?.files, copy?.video?.cache])
  const names = (await caches.keys()).filter((name) => name.startsWith(`${PREFIX}${path}:`) && !named.has(name))
  await Promise.all(names.map((name) => caches.delete(name)))
}

/** Deletes what is left of copies that were never completed, unless another tab is making them now. */
export async function sweepAll(): Promise<void> {
  const names = await caches.keys()
  const paths = new Set(names.filter((name) => name.startsWith(PREFIX)).map((name) => name.split(':')[1] ?? ''))
  await Promise.all([...paths].map((path) => withCopy(path, () => sweepCaches(path), { ifAvailable: true })))
}

/** Runs work on a copy while no other tab, and not the service worker, works on the same one. */
export async function withCopy<Result>(
  path: string,
  work: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result | undefined> {
  return navigator.locks.request(PREFIX + path, options, async (lock) => (lock === null ? undefined : work()))
}

/** What the storage of this site holds, and could hold. Bytes; null where the browser does not say. */
export async function measureStorage(): Promise<{ usedBytes: number; freeBytes: number } | null> {
  const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {}
  return usage === undefined || quota === undefined ? null : { usedBytes: usage, freeBytes: Math.max(0, quota - usage) }
}

const MINUTE_MS = 60_000
/** From the longest. */
const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const

/** `just now`, `1 minute ago`, `3 days ago`. @param words of a language, its tag and what is said of less than a minute */
export function formatAge(sinceMs: number, nowMs: number, words: { tag: string; now: string }): string {
  const [unit, unitMs] = UNITS.find(([, each]) => nowMs - sinceMs >= each) ?? []
  if (unit === undefined) return words.now
  return new Intl.RelativeTimeFormat(words.tag).format(-Math.floor((nowMs - sinceMs) / unitMs), unit)
}
