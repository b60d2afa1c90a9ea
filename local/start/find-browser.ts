import { existsSync } from 'node:fs'
import { canInstall, describeInstall, installCommand, installPackages } from './apt.ts'
import { StartError } from './start-error.ts'

/** A browser that tests drive, and where it may be. */
export interface BrowserKind {
  name: string
  /** Environment variable that names its program. */
  variable: string
  debianPackage: string
  paths: readonly string[]
  /** How to get it besides Debian's package, as the end of a sentence. */
  otherAdvice: string
}

/** What this machine has and can do; replaced in tests. */
export interface BrowserProbes {
  env: Record<string, string | undefined>
  hasFile(path: string): boolean
  canInstall(): boolean
  /** @returns null, or why it did not work. */
  installPackages(packages: string[]): Promise<string | null>
  say(line: string): void
}

export const machineProbes: BrowserProbes = {
  env: process.env,
  hasFile: existsSync,
  canInstall,
  installPackages,
  say: console.log,
}

/** The one that the environment names, or the first that is there. Null when there is none. */
export function findBrowser(kind: BrowserKind, probes: BrowserProbes): string | null {
  const named = probes.env[kind.variable]
  if (named) return probes.hasFile(named) ? named : null
  return kind.paths.find((path) => path !== '' && probes.hasFile(path)) ?? null
}

/**
 * Finds a browser or, as root on a Debian-like system, installs one.
 * @throws {StartError} that says how to get one
 */
export async function ensureBrowser(kind: BrowserKind, probes: BrowserProbes): Promise<string> {
  const found = findBrowser(kind, probes)
  if (found) return found
  const { name, variable, debianPackage, otherAdvice } = kind
  const named = probes.env[variable]
  if (named) throw new StartError(`${variable} names ${named}, which does not exist.`)
  const advice = `run \`${installCommand([debianPackage])}\`${otherAdvice}, or set ${variable}.`
  if (!probes.canInstall()) throw new StartError(`The browser tests need a ${name}: ${advice}`)
  probes.say(describeInstall([debianPackage], `for the browser tests, which need a ${name}`))
  const complaint = await probes.installPackages([debianPackage])
  const installed = findBrowser(kind, probes)
  if (installed) return installed
  throw new StartError(`${name} could not be installed (${complaint ?? 'it is still missing'}): ${advice}`)
}
