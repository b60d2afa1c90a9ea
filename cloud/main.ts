import { openClerk } from './clerk.ts'
import { deploy, rollBack } from './deploy.ts'
import { environmentOf, readArguments } from './environment.ts'
import { readBaseConfig } from './make-config.ts'
import { removePreview } from './resources.ts'
import { setUp } from './set-up.ts'
import { CloudError, openShell } from './shell.ts'
import { smoke } from './smoke/smoke.ts'

async function main(): Promise<void> {
  const { command, branch, isDry, version, isTakeOver, isFirst, load, idleS, url } = readArguments(
    process.argv.slice(2),
    process.env,
  )
  const cloud = { environment: environmentOf(branch), base: readBaseConfig(), shell: openShell({ isDry }) }
  const clerk = openClerk(process.env)
  if (command === 'setup') return setUp({ ...cloud, clerk })
  if (command === 'smoke') return smoke({ ...cloud, url, clerk, isFirst, load, idleMs: idleS * 1000 })
  if (command === 'rollback') return rollBack({ ...cloud, version })
  if (command === 'remove') return removePreview(cloud)
  // A branch that is new gets what it needs; what is there already is found in seconds.
  if (cloud.environment.isPreview) await setUp({ ...cloud, clerk })
  return deploy({ ...cloud, isTakeOver })
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CloudError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
