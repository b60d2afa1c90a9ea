import { rm } from 'node:fs/promises'
import { reasonOf } from './whisper/download.ts'
import { findPython, type Python, pythonCommands } from './whisper/find-python.ts'
import { type InstallOptions, WhisperMissing } from './whisper/install-options.ts'
import { installWhisper } from './whisper/install-whisper.ts'
import { whisperFolder } from './whisper/is-whisper-here.ts'
import { MODELS, type WhisperModel } from './whisper/models.ts'
import { indexUrlOf } from './whisper/package-index.ts'
import { findWheels, PLATFORMS, PYTHON_VERSIONS, readWheelLock } from './whisper/wheel-lock.ts'
import { openWhisper, type WhisperRecogniser } from './whisper-recogniser.ts'

type Environment = Record<string, string | undefined>

/** What Whisper is prepared with. */
export interface WhisperSetup extends Pick<InstallOptions, 'signal' | 'onProgress' | 'say' | 'timing'> {
  env: Environment
  /** Whether anything may be downloaded. */
  mayInstall: boolean
  /** An existing folder for audio. */
  workDir: string
  /** Gets what the engine writes for its log. */
  onLine: (line: string) => void
}

/** As the client of the hub names it. */
const HUB = 'https://huggingface.co'
const NEEDED = `Python ${PYTHON_VERSIONS[0]} to ${PYTHON_VERSIONS.at(-1)} on ${PLATFORMS.join(', ')}`

/** The weights that `ADAPT_WHISPER` asks for; base, which knows 99 languages, where it asks for none. */
function chooseModel({ ADAPT_WHISPER: name }: Environment): WhisperModel | string {
  const [base] = MODELS
  return MODELS.find((model) => model.name === name) ?? (name || base || '')
}

/** Opens Whisper on this machine, and downloads before what it lacks. @throws {WhisperMissing} */
export async function prepareWhisper(setup: WhisperSetup): Promise<WhisperRecogniser> {
  const { env, mayInstall, workDir, onLine, ...rest } = setup
  const lock = readWheelLock()
  const wheelsFor = ({ version, platform }: Python) => findWheels(lock, version, platform)
  const commands = env.ADAPT_PYTHON ? [[env.ADAPT_PYTHON]] : pythonCommands(process.platform)
  const { python, others } = await findPython((each) => wheelsFor(each) !== null, commands)
  if (python === null) throw missingPython(others)
  const options: InstallOptions = {
    ...rest,
    cacheDir: whisperFolder(env),
    indexUrl: indexUrlOf(env),
    hubUrl: (env.HF_ENDPOINT || HUB).replace(/\/+$/, ''),
    pythonPath: python.path,
    wheels: wheelsFor(python) ?? [],
    model: chooseModel(env),
    mayInstall,
  }
  const open = async () => {
    const installed = await installWhisper(options)
    try {
      return await openWhisper({ ...installed, pythonPath: python.path, env, onLine }, workDir)
    } catch (error) {
      // What was installed whole may have been damaged since.
      if (mayInstall) await rm(installed.packagesDir, { recursive: true, force: true })
      throw error
    }
  }
  return open().catch((error: unknown) => {
    setup.signal.throwIfAborted()
    if (error instanceof WhisperMissing || !mayInstall) throw explain(error)
    onLine(`The engine did not start and is installed again: ${reasonOf(error)}`)
    return open().catch((again: unknown) => {
      throw explain(again)
    })
  })
}

function explain(error: unknown): WhisperMissing {
  if (error instanceof WhisperMissing) return error
  return new WhisperMissing(`Whisper does not run on this machine: ${reasonOf(error)}.`, { cause: error })
}

function missingPython(others: readonly Python[]): WhisperMissing {
  const found = [...new Set(others.map(({ version, platform }) => `${version} on ${platform}`))]
  const what = found.length === 0 ? 'there is no Python here' : `what is here is ${found.join(', ')}`
  return new WhisperMissing(`Speech recognition by Whisper needs ${NEEDED}, and ${what}.`)
}
