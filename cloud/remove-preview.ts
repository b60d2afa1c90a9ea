import { CloudError } from './cloud-error.ts'
import type { Environment } from './environment.ts'
import { bucketOf, queuesOf, type WorkerConfig } from './make-config.ts'
import type { Shell } from './shell.ts'
import { wrangler } from './wrangler.ts'

interface Removal {
  environment: Environment
  base: WorkerConfig
  shell: Shell
}

/** How the API says that there is nothing to remove. */
const GONE = /not found|does not exist|couldn't find|could not find/i

/**
 * Removes a preview with its data; what is gone already is passed over, so it can be run again.
 * @throws {CloudError} for production
 */
export async function removePreview({ environment, base, shell }: Removal): Promise<void> {
  if (!environment.isPreview) throw new CloudError('Only previews are removed this way: --preview BRANCH')
  const bucket = bucketOf(base, environment)
  const queues = queuesOf(base, environment)
  const news = queues.find((queue) => queue.endsWith('-uploads')) ?? ''
  const at = (...args: string[]) => wrangler(environment, ...args)
  const commands = [
    at('r2', 'bucket', 'notification', 'delete', bucket, '--queue', news),
    // First the worker: a queue that somebody listens to cannot be removed.
    at('delete', environment.name, '--force'),
    ...queues.map((queue) => at('queues', 'delete', queue)),
    at('d1', 'delete', environment.name, '--skip-confirmation'),
  ]
  for (const command of commands) await remove(command, shell)
  try {
    await remove(at('r2', 'bucket', 'delete', bucket), shell)
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    shell.say(`${bucket} still holds videos. It empties itself within a week; run this again then.`)
  }
}

async function remove(command: string[], shell: Shell): Promise<void> {
  try {
    await shell.act(command)
  } catch (error) {
    if (!(error instanceof CloudError) || !GONE.test(error.message)) throw error
    shell.say('  is gone')
  }
}
