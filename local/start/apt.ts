import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { hasProgram } from './has-program.ts'

/** Whether packages can be installed without asking anybody: root on a Debian-like system. */
export function canInstall(): boolean {
  return process.getuid?.() === 0 && hasProgram('apt-get')
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
