import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { splitCredentials } from './package-index.ts'

/** A file to download: how large it is, and by what it is known again. */
export interface WantedFile {
  name: string
  sha256: string
  sizeBytes: number
}

/** Says why a file could not be had, in words for the person who runs Adapt. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
}

export interface DownloadOptions {
  signal: AbortSignal
  /** How long nothing may arrive before the connection is given up; for tests that cannot wait. */
  silenceMs?: number
  /** The first pause before another attempt, which doubles; for tests that cannot wait. */
  pauseMs?: number
}

/** Attempts in a row without a single byte before a file is given up. */
const ATTEMPTS_WITHOUT_PROGRESS = 4
const SILENCE_MS = 20_000
const PAUSE_MS = 1_000

/** The name of a file that is not whole yet. */
export function partialPath(path: string): string {
  return `${path}.part`
}

export async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.size ?? 0
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(path)) hash.update(bytes as Uint8Array)
  return hash.digest('hex')
}

/**
 * Downloads a file unless it is there, from where an earlier attempt ended. It has its name only when it is whole and
 * known.
 * @throws {DownloadError}
 */
export async function download(url: string, path: string, file: WantedFile, options: DownloadOptions): Promise<void> {
  if ((await sizeOf(path)) === file.sizeBytes) return
  const partial = partialPath(path)
  let failures = 0
  for (;;) {
    const before = await sizeOf(partial)
    if (before > file.sizeBytes) await rm(partial)
    else if (before === file.sizeBytes) break
    const fault = await fetchRest(url, partial, options).catch((error: unknown) => error)
    options.signal.throwIfAborted()
    if (isDiskFull(fault)) throw fault
    const progress = (await sizeOf(partial)) - before
    failures = progress > 0 ? 0 : failures + 1
    if (fault instanceof DownloadError || failures >= ATTEMPTS_WITHOUT_PROGRESS) throw describe(url, file, fault)
    if (failures > 0) await sleep((options.pauseMs ?? PAUSE_MS) * 2 ** (failures - 1), undefined, options)
  }
  if ((await hashFile(partial)) !== file.sha256) {
    await rm(partial)
    throw new DownloadError(`${file.name} from ${new URL(url).host} is not the file that Adapt knows`)
  }
  await rename(partial, path)
}

/** Appends what is still missing of a file, as far as the connection lasts. */
async function fetchRest(url: string, partial: string, { signal, silenceMs = SILENCE_MS }: DownloadOptions) {
  const from = await sizeOf(partial)
  const { url: address, headers } = splitCredentials(url)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error(`nothing arrived for ${silenceMs / 1000} s`)), silenceMs)
  try {
    const response = await fetch(address, {
      headers: from > 0 ? { ...headers, range: `bytes=${from}-` } : headers,
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const { status, body } = response
    if (status === 401 || status === 403 || status === 404) throw new DownloadError(`it answers ${status}`)
    if (!response.ok || body === null) throw new Error(`it answers ${status}`)
    // Servers that know no ranges send all of it again.
    const flags = status === 206 ? 'a' : 'w'
    const counted = async function* (bytes: AsyncIterable<Uint8Array>) {
      for await (const part of bytes) {
        timer.refresh()
        yield part
      }
    }
    await pipeline(body as unknown as AsyncIterable<Uint8Array>, counted, createWriteStream(partial, { flags }))
    return null
  } finally {
    clearTimeout(timer)
  }
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

function describe(url: string, { name }: WantedFile, fault: unknown): DownloadError {
  return new DownloadError(`${name} could not be downloaded from ${new URL(url).host}: ${reasonOf(fault)}`, {
    cause: fault,
  })
}

/** What Node says last: the outermost words of a failed fetch are always the same. */
export function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'the connection ended too early'
  return fault.cause instanceof Error ? reasonOf(fault.cause) : fault.message
}
