// `npm run generate:wheels`: writes the lock of the Python packages that recognise speech, for each Python and platform.
import { writeFileSync } from 'node:fs'
import { type IndexFile, indexUrlOf, listIndexFiles } from './package-index.ts'
import {
  LOCK_PATH,
  PLATFORMS,
  type Platform,
  PYTHON_VERSIONS,
  type PythonVersion,
  type WheelLock,
} from './wheel-lock.ts'

/**
 * What faster-whisper needs to transcribe. Of what else it asks for, onnxruntime serves the detection of speech alone, and
 * the client of the hub the download of weights.
 */
const VERSIONS: Record<string, (python: PythonVersion) => string> = {
  'faster-whisper': () => '1.2.1',
  ctranslate2: () => '4.8.5',
  // The last of each that has wheels for Python 3.10.
  numpy: (python) => (python === '3.10' ? '2.2.6' : '2.4.6'),
  av: (python) => (python === '3.10' ? '16.1.0' : '18.1.0'),
  tokenizers: () => '0.23.3',
  tqdm: () => '4.70.1',
}

/** How wheels name a platform. Debian 11 and Ubuntu 20.04 have glibc 2.31. */
const PLATFORM_TAGS: Record<Platform, RegExp> = {
  'linux-x64': /^(?:any|.*manylinux(?:2014|_2_(?:17|27|28))_x86_64.*)$/,
  'linux-arm64': /^(?:any|.*manylinux(?:2014|_2_(?:17|27|28))_aarch64.*)$/,
  'darwin-arm64': /^(?:any|macosx_1[14]_0_arm64)$/,
  'win32-x64': /^(?:any|win_amd64)$/,
}

interface Target {
  python: PythonVersion
  platform: Platform
}

/** Whether a wheel runs on a target, by the tags of its name (PEP 425). */
function isFor(name: string, version: string, { python, platform }: Target): boolean {
  const [, wheelVersion, pythonTag = '', abi = '', platformTag = ''] = name.replace(/\.whl$/, '').split('-')
  if (wheelVersion !== version || !PLATFORM_TAGS[platform].test(platformTag)) return false
  if (abi === 'none') return pythonTag.split('.').includes('py3')
  const minor = Number(python.slice(2))
  const oldest = Number(/^cp3(\d+)$/.exec(pythonTag)?.[1] ?? Number.NaN)
  return abi === 'abi3' ? oldest <= minor : pythonTag === `cp3${minor}` && abi === pythonTag
}

/** The one of a package's wheels for a target; on macOS that of the newest system, which is smaller. */
function pickWheel(files: readonly IndexFile[], project: string, target: Target): IndexFile {
  const version = VERSIONS[project]?.(target.python) ?? ''
  const [best] = files.filter(({ name }) => name.endsWith('.whl') && isFor(name, version, target)).toReversed()
  if (best === undefined) throw new Error(`${project} ${version} has no wheel for ${target.python} ${target.platform}`)
  return best
}

async function makeLock(): Promise<WheelLock> {
  const indexUrl = indexUrlOf(process.env)
  const signal = AbortSignal.timeout(60_000)
  const lock: WheelLock = { wheels: {}, targets: {} }
  for (const project of Object.keys(VERSIONS)) {
    const files = await listIndexFiles(indexUrl, project, signal)
    for (const platform of PLATFORMS) {
      for (const python of PYTHON_VERSIONS) {
        const { name, sha256, sizeBytes } = pickWheel(files, project, { python, platform })
        if (sha256 === null || sizeBytes === null) throw new Error(`${indexUrl} does not say what ${name} is`)
        lock.wheels[name] = { project, sha256, sizeBytes }
        const target = `${python} ${platform}`
        lock.targets[target] = [...(lock.targets[target] ?? []), name]
      }
    }
  }
  return lock
}

writeFileSync(LOCK_PATH, `${JSON.stringify(await makeLock(), null, 2)}\n`)
