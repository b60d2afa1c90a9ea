import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Commands that this room uses. The longer ones come first, because a test looks for the first that fits. */
const COMMANDS = [
  'r2 bucket notification create',
  'r2 bucket notification delete',
  'r2 bucket notification list',
  'r2 bucket lifecycle set',
  'r2 bucket cors set',
  'd1 migrations apply',
  'd1 time-travel restore',
  'r2 bucket create',
  'r2 bucket delete',
  'r2 bucket info',
  'd1 create',
  'd1 delete',
  'd1 list',
  'queues create',
  'queues delete',
  'queues info',
  'secret list',
  'secret put',
  'deployments list',
  'rollback',
  'deploy',
  'delete',
  'whoami',
]

/** The flags that a command of the installed wrangler says it knows. */
function flagsOf(command: string): string[] {
  const env = { ...process.env, WRANGLER_LOG: 'log', NO_COLOR: '1' }
  const { stdout } = spawnSync('npx', ['wrangler', ...command.split(' '), '--help'], { encoding: 'utf8', env })
  // Without this line it is the help of something else, as for a command that does not exist.
  if (!stdout.includes(`wrangler ${command}`)) throw new Error(`wrangler has no "${command}"`)
  const lines = stdout.split('\n').filter((line) => /^\s+(-\w, )?\s*--/.test(line))
  return [...new Set(lines.flatMap((line) => line.split('  [')[0]?.match(/--[\w-]+/g) ?? []))].sort()
}

if (import.meta.main) {
  const { version } = JSON.parse(readFileSync('node_modules/wrangler/package.json', 'utf8')) as { version: string }
  const commands = Object.fromEntries(COMMANDS.map((command) => [command, flagsOf(command)]))
  const path = join(import.meta.dirname, 'wrangler-flags.json')
  writeFileSync(path, `${JSON.stringify({ wrangler: version, commands }, null, 2)}\n`)
}
