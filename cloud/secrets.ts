import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Environment } from './environment.ts'
import type { Shell } from './shell.ts'
import { wrangler } from './wrangler.ts'

const SecretList = z.array(z.object({ name: z.string() }))

const NO_WORKER = /Worker .* not found/i

/**
 * Names of the secrets that an environment's worker has; none while there is no worker.
 * @throws {CloudError} when they cannot be listed: a secret that is there must not be taken for a missing one
 */
export async function listSecrets(environment: Environment, shell: Shell): Promise<string[]> {
  const there = await shell.ask(wrangler(environment, 'secret', 'list', '--format', 'json'), NO_WORKER)
  const names = there === null ? [] : SecretList.parse(JSON.parse(there)).map(({ name }) => name)
  return [...names, ...namesInFile(environment)]
}

/** Whether a file of secrets goes along with each deploy. */
export function hasSecretsFile({ secretsPath }: Environment): boolean {
  return existsSync(secretsPath)
}

function namesInFile(environment: Environment): string[] {
  if (!hasSecretsFile(environment)) return []
  const lines = readFileSync(environment.secretsPath, 'utf8').split('\n')
  return lines.flatMap((line) => /^\s*([A-Z0-9_]+)\s*=\s*\S/.exec(line)?.[1] ?? [])
}
