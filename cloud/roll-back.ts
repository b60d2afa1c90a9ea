import { CloudError } from './cloud-error.ts'
import { healthStep } from './deploy.ts'
import type { Environment } from './environment.ts'
import { exampleSettings, readSettings } from './settings.ts'
import { type Shell, show } from './shell.ts'
import { wrangler } from './wrangler.ts'

interface Rollback {
  environment: Environment
  shell: Shell
  /** Null: the one before. */
  version: string | null
}

/** Puts an older version of the worker live again. The database stays as it is. */
export async function rollBack({ environment, shell, version }: Rollback): Promise<void> {
  const settings = readSettings(environment) ?? (shell.isDry ? exampleSettings(environment) : null)
  if (settings === null)
    throw new CloudError(`There is no ${environment.settingsPath}, so nothing was deployed from here.`)
  shell.say('What was live')
  await shell.act(wrangler(environment, 'deployments', 'list'))
  shell.say('\nRoll back')
  const which = version === null ? [] : [version]
  await shell.act(wrangler(environment, 'rollback', ...which, '--message', 'npm run rollback', '--yes'))
  shell.say('\nAsk how it is')
  await shell.act(healthStep(environment, settings).command)
  const restore = wrangler(environment, 'd1', 'time-travel', 'restore', environment.name, '--timestamp', 'WHEN')
  for (const line of [
    '',
    'The database is as it was: each migration leaves the version before it working.',
    'Only where data itself was damaged, and at the price of everything written since, take it back to a moment:',
    `  ${show(restore)}`,
  ]) {
    shell.say(line)
  }
}
