import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Whether a program is on the PATH. */
export function hasProgram(program: string): boolean {
  return spawnSync(program, ['-version'], { stdio: 'ignore' }).error === undefined
}

/** The variable with which a person refuses installations. */
const REFUSAL = 'ADAPT_NO_INSTALL'

/** Whether packages can be installed here: as root on a Debian-like system, unless the person refuses. */
export function canInstall(env: Record<string, string | undefined> = process.env): boolean {
  return !isRefused(env) && process.getuid?.() === 0 && hasProgram('apt-get')
}

function isRefused(env: Record<string, string | undefined>): boolean {
  return !['', '0', undefined].includes(env[REFUSAL])
}

/** Says before an installation what is installed, why, and how to refuse. @param purpose what it is needed for */
export function describeInstall(packages: string[], purpose: string): string {
  return `Installing ${packages.join(', ')} with apt-get ${purpose}; this happens once. ${REFUSAL}=1 refuses.`
}

/** The command with which a person installs these packages; for messages. */
export function installCommand(packages: string[]): string {
  return `sudo apt-get install ${packages.join(' ')}`
}

/** Installs Debian packages, and removes none for them. @returns null, or the last thing that apt complained about. */
export async function installPackages(packages: string[]): Promise<string | null> {
  return (
    (await runApt(['update'])) ??
    (await runApt(['install', '-y', '--no-install-recommends', '--no-remove', ...packages]))
  )
}

async function runApt(args: string[]): Promise<string | null> {
  const apt = spawn('apt-get', ['-qq', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  createInterface({ input: apt.stderr }).on('line', (line) => {
    if (line.startsWith('E: ')) complaint = line.slice('E: '.length)
  })
  const code = await new Promise<number | null>((resolve, reject) => apt.once('error', reject).once('close', resolve))
  return code === 0 ? null : complaint || `apt-get ${args[0]} ended with ${code}`
}

/** What this machine has and can do; replaced in tests. */
export interface SpeechToolProbes {
  hasProgram(program: string): boolean
  hasFile(path: string): boolean
  canInstall(): boolean
  /** @returns null, or why it did not work. */
  installPackages(packages: string[]): Promise<string | null>
  say(line: string): void
}

export const PACKAGES = ['ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us']
// Where Debian, and a build from source, put the model that pocketsphinx_continuous loads by default.
const MODEL_FILES = [
  '/usr/share/pocketsphinx/model/en-us/en-us/mdef',
  '/usr/local/share/pocketsphinx/model/en-us/en-us/mdef',
]

const machine: SpeechToolProbes = { hasProgram, hasFile: existsSync, canInstall, installPackages, say: console.log }

/** Names what local speech recognition lacks on this machine; empty when it can run. */
export function missingSpeechTools(probes: Pick<SpeechToolProbes, 'hasProgram' | 'hasFile'> = machine): string[] {
  const programs = ['ffmpeg', 'pocketsphinx_continuous'].filter((program) => !probes.hasProgram(program))
  return MODEL_FILES.some(probes.hasFile) ? programs : [...programs, 'the pocketsphinx en-us model']
}

/**
 * Sees to it that speech can be recognised here: installs what is missing where that needs no question, else says in
 * one line what to run. @returns whether recognition can run now.
 */
export async function ensureSpeechTools(probes: SpeechToolProbes = machine): Promise<boolean> {
  const missing = missingSpeechTools(probes)
  if (missing.length === 0) return true
  const advice = `To recognise speech run: ${installCommand(PACKAGES)} (until then videos need captions).`
  if (!probes.canInstall()) {
    probes.say(`Missing: ${missing.join(', ')}. ${advice}`)
    return false
  }
  probes.say(describeInstall(PACKAGES, 'to recognise speech, without which videos need captions'))
  const complaint = await probes.installPackages(PACKAGES)
  const installed = complaint === null && missingSpeechTools(probes).length === 0
  if (!installed) probes.say(`The installation failed (${complaint ?? 'the tools are still missing'}). ${advice}`)
  return installed
}
