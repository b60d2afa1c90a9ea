import { deploy, rollBack } from './deploy.ts'
import { environmentOf, readArguments } from './environment.ts'
import { readBaseConfig } from './make-config.ts'
import { removePreview } from './resources.ts'
import { setUp } from './set-up.ts'
import { CloudError, openShell } from './shell.ts'

async function main(): Promise<void> {
  const { command, branch, isDry, version } = readArguments(process.argv.slice(2), process.env)
  const cloud = { environment: environmentOf(branch), base: readBaseConfig(), shell: openShell({ isDry }) }
  if (command === 'setup') return setUp(cloud)
  if (command === 'rollback') return rollBack({ ...cloud, version })
  if (command === 'remove') return removePreview(cloud)
  // A branch that is new gets what it needs; what is there already is found in seconds.
  if (cloud.environment.isPreview) await setUp(cloud)
  return deploy(cloud)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CloudError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
