import type { Environment } from './environment.ts'

/** A command of wrangler for an environment. */
export function wrangler({ configPath }: Pick<Environment, 'configPath'>, ...args: string[]): string[] {
  return ['npx', 'wrangler', ...args, '--config', configPath]
}
