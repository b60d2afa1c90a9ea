import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'
import { STAND_IN_PUBLISHABLE_KEY } from '../clerk/session/publishable-key.ts'
import { openLogFile, type Processes } from './processes.ts'
import { addressOf, type Environment, type StartConfig, StartError } from './start-config.ts'

const INSTALLED = join(import.meta.dirname, '../../node_modules/@clerk')
const ENTRIES = { 'clerk-js': 'clerk.browser.js', ui: 'ui.browser.js' }

/** Puts Clerk's own scripts beside the built web app, where the stand-in of `local/clerk` serves them from. */
export async function copyClerkScripts(siteDir: string): Promise<void> {
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const distDir = join(INSTALLED, name, 'dist')
    const targetDir = join(siteDir, 'clerk-scripts', name)
    const entryText = await readFile(join(distDir, entry), 'utf8')
    const isWanted = (file: string) => file === entry || belongsTo(entryText, file)
    await rm(targetDir, { recursive: true, force: true })
    await cp(distDir, targetDir, {
      recursive: true,
      filter: (path) => path === distDir || isWanted(basename(path)),
    })
    // Their licence asks to go with every copy.
    await cp(join(INSTALLED, name, 'LICENSE'), join(targetDir, 'LICENSE.txt'))
  }
}

// The folder holds several builds; a chunk carries the hash of its own: userprofile_ui_58d0c7_1.36.0.js.
function belongsTo(entryText: string, name: string): boolean {
  const hash = /_(?:ui|clerk\.browser)_([0-9a-f]+)_[^_]*\.js$/.exec(name)?.[1]
  return hash !== undefined && entryText.includes(`"${hash}`)
}

/** What a build leaves in a state folder: the pages and, written last, what they were made from. */
export const BUILT_SITE = { pages: 'site', stamp: 'site.stamp' }

/** What a build of the web app is made from. */
const SOURCES = [
  '{web,contract,media}/**',
  'vite{,.share,.kept}.config.ts',
  'package{,-lock}.json',
  'local/start/site.ts',
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
  const siteDir = join(stateDir, BUILT_SITE.pages)
  const stampPath = join(stateDir, BUILT_SITE.stamp)
  const siteEnv = siteEnvironment(env)
  const stamp = hashSources(repoDir, siteEnv)
  if (existsSync(siteDir) && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) return siteDir
  rmSync(stampPath, { force: true })
  console.log('Building the web app …')
  const log = openLogFile(join(stateDir, 'build.log'))
  for (const script of ['compile-messages.ts', 'build-site.ts']) {
    const args = [join(repoDir, 'web/build', script)]
    const { ended } = processes.start({
      args,
      cwd: repoDir,
      env: { ...siteEnv, ADAPT_SITE_DIR: siteDir },
      onLine: log.write,
    })
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
export function hashSources(repoDir: string, env: Environment): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: repoDir }).sort()) {
    const file = join(repoDir, path)
    if (statSync(file).isFile()) hash.update(`${path}\0`).update(readFileSync(file)).update('\0')
  }
  for (const name of Object.keys(env).sort()) {
    if (name.startsWith('VITE_')) hash.update(`${name}=${env[name]}\0`)
  }
  return hash.digest('hex')
}

/** Serves the page with hot reload; everything that is not the page comes from the worker. */
export async function startDevPage(config: StartConfig, workerPort: number): Promise<ViteDevServer> {
  // Vite takes the app's settings from the environment of its own process.
  Object.assign(process.env, siteEnvironment(config.env))
  const vite = await createServer({
    configFile: join(config.repoDir, 'vite.config.ts'),
    clearScreen: false,
    logLevel: 'warn',
    server: { host: 'localhost', port: config.port, strictPort: true, proxy: makeProxy(addressOf(workerPort)) },
  })
  return vite.listen()
}

function makeProxy(target: string): Record<string, ProxyOptions> {
  const toWorker: ProxyOptions = { target, ws: true }
  return {
    '^/(api|media|__clerk|cdn-cgi)/': toWorker,
    '^/kept$': { ...toWorker, bypass: () => '/kept.html' },
    '^/(share|embed)/': { ...toWorker, bypass: (request) => (wantsPage(request) ? '/share.html' : undefined) },
  }
}

/** `GET /share/{id}` is a page for a browser; everything else below it, and every call for JSON, is the worker's. */
function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}
