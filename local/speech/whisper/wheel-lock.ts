import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Machines that the engine runs on: `process.platform` and `process.arch`, with glibc on Linux. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64'] as const
export type Platform = (typeof PLATFORMS)[number]

export const PYTHON_VERSIONS = ['3.10', '3.11', '3.12', '3.13', '3.14'] as const
export type PythonVersion = (typeof PYTHON_VERSIONS)[number]

const Wheel = z.object({
  project: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.number().int().positive(),
})

export const WheelLock = z.object({
  /** By file name. */
  wheels: z.record(z.string(), Wheel),
  /** The wheels of each Python on each platform, under names such as `3.12 linux-x64`. */
  targets: z.record(z.string(), z.array(z.string())),
})
export type WheelLock = z.infer<typeof WheelLock>

/** A file that is to be downloaded, and by what it is known again. */
export interface LockedFile {
  name: string
  project: string
  sha256: string
  sizeBytes: number
}

export const LOCK_PATH = join(import.meta.dirname, 'wheel-lock.json')

export function readWheelLock(): WheelLock {
  return WheelLock.parse(JSON.parse(readFileSync(LOCK_PATH, 'utf8')))
}

/** Finds the wheels for a Python on a platform; null where there are none. */
export function findWheels(lock: WheelLock, python: string, platform: string): LockedFile[] | null {
  const names = lock.targets[`${python} ${platform}`]
  if (names === undefined) return null
  return names.map((name) => {
    const wheel = lock.wheels[name]
    if (wheel === undefined) throw new Error(`${name} is not in the lock`)
    return { name, ...wheel }
  })
}

const NAME_CHARS = 12

/** A name for a set of files: the same files have the same name in every checkout. */
export function nameOf(files: readonly Pick<LockedFile, 'sha256'>[]): string {
  const hash = createHash('sha256')
  for (const { sha256 } of files) hash.update(sha256)
  return hash.digest('hex').slice(0, NAME_CHARS)
}
