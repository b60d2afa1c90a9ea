import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from './cache-folder.ts'
import { MODELS } from './models.ts'
import { findWheels, nameOf, readWheelLock } from './wheel-lock.ts'

/** The weights that tests of real speech use: the smallest. */
export const TESTED_MODEL = 'tiny.en'

/** Where this user's engines and weights are. */
export function whisperFolder(env: Record<string, string | undefined>): string {
  return join(cacheFolder({ platform: process.platform, env, homeDir: homedir() }), 'whisper')
}

/** Whether an engine of this version and the named weights are in the cache: tests of real speech need both. */
export function hasWhisper(modelName: string): boolean {
  const folder = whisperFolder(process.env)
  const lock = readWheelLock()
  const engines = Object.keys(lock.targets).map((target) => {
    const [python = '', platform = ''] = target.split(' ')
    return `engine-${nameOf(findWheels(lock, python, platform) ?? [])}`
  })
  const model = MODELS.find(({ name }) => name === modelName)
  const weights = [model?.files, model?.packages?.files].map((files) => `${modelName}-${nameOf(files ?? [])}`)
  return [engines, weights].every((names) => names.some((name) => existsSync(join(folder, name))))
}
