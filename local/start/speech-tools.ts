import { existsSync } from 'node:fs'
import { canInstall, describeInstall, installCommand, installPackages } from './apt.ts'
import { hasProgram } from './has-program.ts'

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
