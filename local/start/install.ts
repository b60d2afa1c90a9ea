import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { StartError } from './start-config.ts'

export function hasProgram(program: string): boolean {
  return spawnSync(program, ['-version'], { stdio: 'ignore' }).error === undefined
}

const REFUSAL = 'ADAPT_NO_INSTALL'

/** Whether anything may be downloaded and installed. */
export function mayInstall(env: Record<string, string | undefined>): boolean {
  return ['', '0', undefined].includes(env[REFUSAL])
}

/** Whether packages can be installed here: as root on a Debian-like system, unless the person refuses. */
export function canInstall(env: Record<string, string | undefined> = process.env): boolean {
  return mayInstall(env) && process.getuid?.() === 0 && hasProgram('apt-get')
}

export function installCommand(packages: readonly string[]): string {
  return `sudo apt-get install ${packages.join(' ')}`
}

/** What apt says about a hundred packages takes some hundred kilobytes. */
const OUTPUT_BYTES_MAX = 10_000_000

/** Speech and translation may be installed at the same time, and apt lets one wait for the other, in seconds. */
const APT_WAITS = 'DPkg::Lock::Timeout=300'

/** Installs Debian packages, and removes none for them. @returns null, or the last thing that apt complained about. */
async function installPackages(packages: readonly string[]): Promise<string | null> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: OUTPUT_BYTES_MAX }
  const runApt = (...args: string[]) => promisify(execFile)('apt-get', ['-qq', '-o', APT_WAITS, ...args], options)
  try {
    await runApt('update')
    await runApt('install', '-y', '--no-install-recommends', '--no-remove', ...packages)
    return null
  } catch (error) {
    const { code, stderr = '' } = error as { code: number | string; stderr?: string }
    return [...stderr.matchAll(/^E: (.*)$/gm)].at(-1)?.[1] ?? `apt-get ended with ${code}`
  }
}

/** What a machine has and can do; replaced in tests. */
export interface Machine {
  env: Record<string, string | undefined>
  hasProgram(program: string): boolean
  hasFile(path: string): boolean
  canInstall(): boolean
  /** @returns null, or why it did not work. */
  installPackages(packages: readonly string[]): Promise<string | null>
  say(line: string): void
}

export const thisMachine: Machine = {
  env: process.env,
  hasProgram,
  hasFile: existsSync,
  canInstall,
  installPackages,
  say: console.log,
}

/** Something that Debian packages bring along, and how it is spoken of. */
interface Need<Found> {
  name: string
  packages: readonly string[]
  /** What it is needed for, as the end of a sentence. */
  purpose: string
  /** Says that it is missing where nothing may be installed. */
  missing: string
  advice: string
  find: () => Found | null
}

/**
 * Finds something or, as root on a Debian-like system, installs it; then says before what is installed, why, and how to
 * refuse. @throws {StartError} that says how to get it
 */
export async function ensure<Found>(need: Need<Found>, machine: Machine): Promise<Found> {
  const { name, packages, purpose, missing, advice, find } = need
  const found = find()
  if (found !== null) return found
  if (!machine.canInstall()) throw new StartError(`${missing} ${advice}`)
  machine.say(`Installing ${packages.join(', ')} with apt-get ${purpose}; this happens once. ${REFUSAL}=1 refuses.`)
  const complaint = await machine.installPackages(packages)
  const installed = find()
  if (installed !== null) return installed
  throw new StartError(`${name} could not be installed (${complaint ?? 'still missing'}): ${advice}`)
}

export const SPEECH_PACKAGES = ['ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us']
// Where Debian, and a build from source, put the model that pocketsphinx_continuous loads by default.
const MODEL_FILES = [
  '/usr/share/pocketsphinx/model/en-us/en-us/mdef',
  '/usr/local/share/pocketsphinx/model/en-us/en-us/mdef',
]

/** Names what local speech recognition lacks on a machine; empty when it can run. */
export function missingSpeechTools(machine: Machine): string[] {
  const programs = ['ffmpeg', 'pocketsphinx_continuous'].filter((program) => !machine.hasProgram(program))
  return MODEL_FILES.some((path) => machine.hasFile(path)) ? programs : [...programs, 'the pocketsphinx en-us model']
}

export const TRANSLATION_PACKAGES = ['apertium', 'apertium-eng-spa']
/** Where Debian puts the pair of English and Spanish. */
const PAIR_FILE = '/usr/share/apertium/modes/eng-spa.mode'

/** Whether a machine has a translator between English and Spanish. */
export function canTranslate(machine: Machine): boolean {
  return machine.hasProgram('apertium') && machine.hasFile(PAIR_FILE)
}

/** Sees to it that trainings can be translated, or says in one line what to run. @returns whether they can be now */
export function ensureTranslationTools(machine: Machine = thisMachine): Promise<boolean> {
  return ensureOrSay({ ...TRANSLATOR, find: () => canTranslate(machine) || null }, machine)
}

const TRANSLATOR = {
  name: 'The translator',
  packages: TRANSLATION_PACKAGES,
  purpose: 'to translate trainings between English and Spanish',
  missing: 'Missing: apertium with apertium-eng-spa.',
  advice: `To translate trainings run: ${installCommand(TRANSLATION_PACKAGES)} (until then they are in their own language).`,
}

/** Whether trainings can be translated, or could be after an installation; otherwise says what to run. Installs nothing. */
export function sayWhetherTranslated(machine: Machine = thisMachine): boolean {
  if (canTranslate(machine) || machine.canInstall()) return true
  machine.say(`${TRANSLATOR.missing} ${TRANSLATOR.advice}`)
  return false
}

/** Sees to it that speech can be recognised, or says in one line what to run. @returns whether it can be now */
export function ensureSpeechTools(machine: Machine = thisMachine): Promise<boolean> {
  const recogniser: Need<true> = {
    name: 'The recogniser',
    packages: SPEECH_PACKAGES,
    purpose: 'to recognise speech, without which videos need captions',
    missing: `Missing: ${missingSpeechTools(machine).join(', ')}.`,
    advice: `To recognise speech run: ${installCommand(SPEECH_PACKAGES)} (until then videos need captions).`,
    find: () => missingSpeechTools(machine).length === 0 || null,
  }
  return ensureOrSay(recogniser, machine)
}

async function ensureOrSay(need: Need<true>, machine: Machine): Promise<boolean> {
  try {
    return await ensure(need, machine)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    machine.say(error.message)
    return false
  }
}
