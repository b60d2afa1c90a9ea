import { installCommand } from './apt.ts'
import { type BrowserProbes, machineProbes } from './find-browser.ts'
import { hasProgram } from './has-program.ts'
import { missingSpeechTools, PACKAGES as SPEECH_PACKAGES } from './speech-tools.ts'
import { StartError } from './start-error.ts'

/** Programs beside the browsers that tests and benches run. */
export type Tool = 'ffmpeg' | 'flite' | 'pocketsphinx'

/** What this machine has and can do; replaced in tests. */
export interface ToolProbes extends Pick<BrowserProbes, 'canInstall' | 'installPackages' | 'say'> {
  has(tool: Tool): boolean
}

const PACKAGES: Record<Tool, readonly string[]> = {
  ffmpeg: ['ffmpeg'],
  flite: ['flite'],
  pocketsphinx: SPEECH_PACKAGES,
}

function has(tool: Tool): boolean {
  return tool === 'pocketsphinx' ? missingSpeechTools().length === 0 : hasProgram(tool)
}

/**
 * Finds programs or, as root on a Debian-like system, installs them.
 * @throws {StartError} that names the missing ones and how to get them
 */
export async function ensureTools(
  tools: readonly Tool[],
  probes: ToolProbes = { ...machineProbes, has },
): Promise<void> {
  const missing = tools.filter((tool) => !probes.has(tool))
  if (missing.length === 0) return
  const packages = [...new Set(missing.flatMap((tool) => PACKAGES[tool]))]
  const advice = `run \`${installCommand(packages)}\`.`
  if (!probes.canInstall()) throw new StartError(`Tests and benches need ${missing.join(', ')}: ${advice}`)
  probes.say(`Installing ${packages.join(', ')} for tests and benches; this happens once.`)
  const complaint = await probes.installPackages(packages)
  const lacking = missing.filter((tool) => !probes.has(tool))
  if (lacking.length === 0) return
  throw new StartError(`${lacking.join(', ')} could not be installed (${complaint ?? 'still missing'}): ${advice}`)
}

/** Waits for what a script needs; where it cannot be had, ends the process with the one sentence that says how. */
export async function orEnd<T>(needed: Promise<T>): Promise<T> {
  try {
    return await needed
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
