import { parseArgs } from 'node:util'
import { CloudError } from './cloud-error.ts'
import { deploy } from './deploy.ts'
import { environmentOf } from './environment.ts'
import { readBaseConfig } from './make-config.ts'
import { removePreview } from './remove-preview.ts'
import { rollBack } from './roll-back.ts'
import { setUp } from './set-up.ts'
import { openDryShell, openShell } from './shell.ts'

const USAGE = `node cloud/main.ts setup|deploy|rollback|remove [--preview BRANCH] [--dry-run] [VERSION]`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { preview: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  })
  const [command = '', version = null] = positionals
  const shell = values['dry-run'] ? openDryShell() : openShell()
  const environment = environmentOf(values.preview ?? null)
  const base = readBaseConfig()
  if (command === 'setup') return setUp({ environment, base, shell })
  if (command === 'rollback') return rollBack({ environment, shell, version })
  if (command === 'remove') return removePreview({ environment, base, shell })
  if (command !== 'deploy') throw new CloudError(USAGE)
  // A branch that is new gets what it needs; what is there already is found in seconds.
  if (environment.isPreview) await setUp({ environment, base, shell })
  return deploy({ environment, base, shell })
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CloudError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
