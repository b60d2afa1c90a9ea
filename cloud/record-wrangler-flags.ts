import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'wrangler-flags.json')

/** The flags that a command of the installed wrangler says it knows. */
function flagsOf(command: string): string[] {
  const env = { ...process.env, WRANGLER_LOG: 'log', NO_COLOR: '1' }
  const { stdout } = spawnSync('npx', ['wrangler', ...command.split(' '), '--help'], { encoding: 'utf8', env })
  // Without this line it is the help of something else, as for a command that does not exist.
  if (!stdout.includes(`wrangler ${command}`)) throw new Error(`wrangler has no "${command}"`)
  const lines = stdout.split('\n').filter((line) => /^\s+(-\w, )?\s*--/.test(line))
  return [...new Set(lines.flatMap((line) => line.split('  [')[0]?.match(/--[\w-]+/g) ?? []))].sort()
}

// A command that this room begins to use is added to the file by hand, before all that it begins with: a test looks for
// the first that fits.
const known = JSON.parse(readFileSync(FILE, 'utf8')) as { commands: Record<string, string[]> }
const { version } = JSON.parse(readFileSync('node_modules/wrangler/package.json', 'utf8')) as { version: string }
const commands = Object.fromEntries(Object.keys(known.commands).map((command) => [command, flagsOf(command)]))
writeFileSync(FILE, `${JSON.stringify({ wrangler: version, commands }, null, 2)}\n`)
