import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { STAND_IN_PUBLISHABLE_KEY } from '../clerk/publishable-key.ts'
import { copyClerkScripts } from './copy-clerk-scripts.ts'
import { openLogFile } from './log-file.ts'
import type { Processes } from './processes.ts'
import type { Environment, StartConfig } from './start-config.ts'
import { StartError } from './start-error.ts'

/** What a build of the web app is made from. */
const SOURCES = [
  'web',
  'contract',
  'vite.config.ts',
  'vite.share.config.ts',
  'package.json',
  'package-lock.json',
  'local/start/copy-clerk-scripts.ts',
]

/** The web app's settings on this machine: the user's own, else those of the Clerk stand-in. */
export function siteEnvironment(env: Environment): Environment {
  return {
    ...env,
    VITE_CLERK_PUBLISHABLE_KEY: env.VITE_CLERK_PUBLISHABLE_KEY ?? STAND_IN_PUBLISHABLE_KEY,
    VITE_CLERK_PROXY_URL: env.VITE_CLERK_PROXY_URL ?? '/__clerk',
    // Uploads go to the worker of this machine, whatever a person's shell names.
    R2_S3_ENDPOINT: '',
  }
}

/**
 * Builds the web app into the state folder, with Clerk's scripts beside it, unless the last build is of the same
 * sources. @returns the folder
 * @throws {StartError} when it cannot be built
 */
export async function buildSite({ repoDir, stateDir, env }: StartConfig, processes: Processes): Promise<string> {
  const siteDir = join(stateDir, 'site')
  const stampPath = join(stateDir, 'site.stamp')
  const siteEnv = siteEnvironment(env)
  const stamp = await hashSources(repoDir, siteEnv)
  if (existsSync(siteDir) && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return siteDir
  rmSync(stampPath, { force: true })
  console.log('Building the web app …')
  const log = openLogFile(join(stateDir, 'build.log'))
  const vite = join(repoDir, 'node_modules/vite/bin/vite.js')
  // The share page goes into the folder that the app's build has emptied.
  for (const more of [['--emptyOutDir'], ['--config', 'vite.share.config.ts']]) {
    const args = [vite, 'build', '--outDir', siteDir, ...more]
    const { ended } = processes.start({ args, cwd: repoDir, env: siteEnv, onLine: log.write })
    const code = await ended
    if (code !== 0) throw new StartError(`The web app could not be built: ${log.path} says why.`)
  }
  log.close()
  await copyClerkScripts(siteDir)
  writeFileSync(stampPath, stamp)
  return siteDir
}

/** A folder for the worker while the page is served by Vite: nothing but Clerk's scripts. */
export async function prepareDevSite(stateDir: string): Promise<string> {
  const siteDir = join(stateDir, 'dev-site')
  await copyClerkScripts(siteDir)
  return siteDir
}

/** One value for everything that the built web app depends on. */
export async function hashSources(repoDir: string, env: Environment): Promise<string> {
  const hash = createHash('sha256')
  for (const path of await listSources(repoDir)) {
    hash
      .update(`${relative(repoDir, path)}\0`)
      .update(await readFile(path))
      .update('\0')
  }
  for (const name of Object.keys(env).sort()) {
    if (name.startsWith('VITE_')) hash.update(`${name}=${env[name]}\0`)
  }
  return hash.digest('hex')
}

async function listSources(repoDir: string): Promise<string[]> {
  const lists = SOURCES.map((source) => join(repoDir, source)).map(async (path) => {
    if (!existsSync(path)) return []
    const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
    return entries?.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)) ?? [path]
  })
  return (await Promise.all(lists)).flat().sort()
}
