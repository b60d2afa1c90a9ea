import { deploy, rollBack } from './deploy.ts'
import { environmentOf, readArguments } from './environment.ts'
import { readBaseConfig } from './make-config.ts'
import { removePreview } from './resources.ts'
import { setUp } from './set-up.ts'
import { CloudError, openDryShell, openShell } from './shell.ts'

async function main(): Promise<void> {
  const { command, branch, isDry, version } = readArguments(process.argv.slice(2), process.env)
  const shell = isDry ? openDryShell() : openShell()
  const environment = environmentOf(branch)
  const base = readBaseConfig()
  if (command === 'setup') return setUp({ environment, base, shell })
  if (command === 'rollback') return rollBack({ environment, shell, version })
  if (command === 'remove') return removePreview({ environment, base, shell })
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
