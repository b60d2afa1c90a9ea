import { parseArgs } from 'node:util'
import { CloudError } from './shell.ts'

const COMMANDS = ['setup', 'deploy', 'rollback', 'remove'] as const

/** What is asked for on the command line. */
export interface Arguments {
  command: (typeof COMMANDS)[number]
  /** Null: production. */
  branch: string | null
  isDry: boolean
  /** Of a rollback; null for the one before. */
  version: string | null
}

const USAGE = `Use: npm run cloud:setup|deploy|rollback|cloud:remove -- [--preview BRANCH] [--dry-run] [VERSION]`

/** @throws {CloudError} for what is not understood, rather than deploying something else */
export function readArguments(args: string[], env: Record<string, string | undefined>): Arguments {
  // Without "--" npm takes the options for its own, and what it leaves says "production, for real".
  if (env['npm_config_preview'] !== undefined) throw new CloudError(USAGE)
  const { values, positionals } = parse(args)
  const [name, version, ...more] = positionals
  const command = COMMANDS.find((known) => known === name)
  const isUnderstood = more.length === 0 && (version === undefined || command === 'rollback')
  if (command === undefined || !isUnderstood || values.preview === '') throw new CloudError(USAGE)
  return {
    command,
    branch: values.preview ?? null,
    isDry: values['dry-run'] || env['npm_config_dry_run'] === 'true',
    version: version ?? null,
  }
}

function parse(args: string[]) {
  const options = { preview: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } as const
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new CloudError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}
