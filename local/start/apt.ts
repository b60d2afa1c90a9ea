import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { hasProgram } from './has-program.ts'

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
