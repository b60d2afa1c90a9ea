import type { Health } from '#contract/debug.ts'
import { wrangler } from './environment.ts'
import { findHealth, requireOwnHosts, waitForRelease } from './live.ts'
import {
  bucketOf,
  type Cloud,
  findConfigProblems,
  findMissing,
  findMoved,
  findSettingsProblems,
  makeConfig,
  storageUrlOf,
} from './make-config.ts'
import { hasSecretsFile, listSecrets, originsOf, readFound, readSettings } from './settings.ts'
import { CloudError, type CommandExtras, type Shell, show } from './shell.ts'

/**
 * What Cloudflare takes of a worker, compressed, on the free plan; a paid one takes 10 MB. The smaller one is kept to,
 * because a worker is read from the start wherever an isolate begins.
 * @see https://developers.cloudflare.com/workers/platform/limits/#worker-size
 */
const BUNDLE_KIB_MAX = 3 * 1024

/**
 * Reads the compressed size of a worker from what `wrangler deploy --dry-run` prints.
 * @returns the size as people read it @throws {CloudError} when it is too large, or not said
 */
export function checkBundle(output: string): string {
  const sizeKib = Number(/ gzip: ([\d.]+) KiB/.exec(output)?.[1])
  if (Number.isNaN(sizeKib)) throw new CloudError('wrangler did not say how large the worker is.')
  const text = `${sizeKib.toFixed(0)} KiB compressed of ${BUNDLE_KIB_MAX} KiB`
  if (sizeKib > BUNDLE_KIB_MAX) throw new CloudError(`The worker is too large: ${text}.`)
  return text
}

const FILES_SHOWN = 20

interface Step {
  name: string
  run: () => Promise<unknown>
}

/**
 * Puts an environment live, and stops at the first step that fails.
 * @throws {CloudError} saying which, and for a host that leads somewhere else
 */
export async function deploy(cloud: Cloud & { isTakeOver: boolean }): Promise<void> {
  const { environment, shell, isTakeOver } = cloud
  const site = await prepare(cloud)
  await requireCleanTree(shell)
  const commit = (await shell.ask(['git', 'rev-parse', '--short', 'HEAD']))?.trim() ?? ''
  if (!environment.isPreview && !isTakeOver) await requireOwnHosts(site.origins, shell)
  const steps = planSteps(cloud, site, { commit, live: await findHealth(site.origins[0] ?? '', shell) })
  for (const [index, step] of steps.entries()) {
    shell.say(`\n${index + 1}/${steps.length} ${step.name}`)
    await doStep(step)
  }
  shell.say(shell.isDry ? '\nNothing was run.' : `\n${site.origins[0]} is live.`)
}

async function doStep({ name, run }: Step): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (error instanceof CloudError)
      throw new CloudError(`"${name}" failed, so nothing after it was done.\n${error.message}`)
    throw error
  }
}

interface Site {
  origins: string[]
  clerkPublishableKey: string
  storageUrl: string
}

/** Writes the configuration of an environment that has all that it needs. @throws {CloudError} that names what it lacks */
async function prepare({ environment, base, shell }: Cloud): Promise<Site> {
  const notReady = (problems: string[]) => {
    const setUp = `npm run cloud:setup${environment.isPreview ? ' -- --preview BRANCH' : ''}`
    const advice = `"${setUp}" finds, makes or names what is missing.`
    return new CloudError([`${environment.name} cannot be deployed yet:`, ...problems, advice].join('\n  '))
  }
  const settings = readSettings(environment, shell)
  if (settings === null) throw notReady([`There is no ${environment.settingsPath}.`])
  const found = readFound(environment)
  const problems = [
    ...findConfigProblems(base),
    ...findSettingsProblems(environment, settings, Object.keys(base.vars ?? {})),
    ...findMoved(found, settings),
    ...(shell.isDry ? [] : findMissing(found)),
  ]
  if (problems.length > 0) throw notReady(problems)
  const accountId = found.accountId || '<account>'
  shell.write(environment.configPath, makeConfig(base, environment, { settings, found: { ...found, accountId } }))
  const there = await listSecrets(environment, shell)
  const missing = (base.secrets?.required ?? []).filter((name) => !there.includes(name))
  if (missing.length > 0 && !shell.isDry) throw notReady(missing.map((name) => `The secret ${name} is missing.`))
  return {
    origins: originsOf(environment, settings),
    clerkPublishableKey: settings.clerkPublishableKey,
    storageUrl: storageUrlOf({ accountId, jurisdiction: settings.jurisdiction }, bucketOf(base, environment)),
  }
}

/**
 * What is live has to be a commit that people can look at. Untracked files count, since builds take them along.
 * @throws {CloudError} naming the files that are in no commit
 */
async function requireCleanTree(shell: Shell): Promise<void> {
  const status = await shell.ask(['git', 'status', '--porcelain'])
  if (shell.isDry) return
  if (status === null) throw new CloudError('git cannot say which commit this is: deploy from a clone of the project.')
  const files = status.split('\n').filter((line) => line !== '')
  if (files.length === 0) return
  const shown = files.slice(0, FILES_SHOWN)
  const more = files.length > shown.length ? [`… and ${files.length - shown.length} more`] : []
  const how = 'Commit them, put them away (git stash -u), or add them to .gitignore.'
  throw new CloudError(['These files are in no commit, so nothing was deployed:', ...shown, ...more, how].join('\n  '))
}

interface Release {
  /** Empty where it is not known. */
  commit: string
  /** What answers before the deployment. */
  live: Health | null
}

/**
 * Everything is tried before anything in the account changes, and the database goes first: the old version works on the
 * new schema, but not the other way round.
 */
function planSteps({ environment, shell }: Cloud, site: Site, { commit, live }: Release): Step[] {
  const secrets = hasSecretsFile(environment) ? ['--secrets-file', environment.secretsPath] : []
  const version = commit === '' ? [] : ['--tag', commit, '--message', commit]
  const run = (name: string, command: string[], extras?: CommandExtras): Step => ({
    name,
    run: () => shell.act(command, extras),
  })
  const wrangle = (...args: string[]) => shell.act(wrangler(environment, ...args))
  // The tests of a commit that is live ran when it was deployed; only settings have changed since.
  const isTested = environment.isPreview || (live !== null && live.version === commit)
  const preview = environment.isPreview ? ['--preview', environment.stage.replace('preview-', '')] : []
  const isFirst = live === null
  const smokeOptions = [...preview, ...(isFirst ? ['--first'] : [])]
  let release = ''
  return [
    run('Install the packages of the lock file', ['npm', 'ci']),
    run('Look for known vulnerabilities', ['npm', 'run', 'check:audit']),
    run('Check', ['npm', 'run', 'check']),
    ...(isTested ? [] : [run('Test', ['npm', 'test'])]),
    // A proxy is what local runs are built with.
    run('Build the pages', ['npm', 'run', 'build'], {
      env: {
        VITE_CLERK_PUBLISHABLE_KEY: site.clerkPublishableKey,
        VITE_CLERK_PROXY_URL: '',
        R2_S3_ENDPOINT: site.storageUrl,
      },
    }),
    {
      name: 'Build the worker',
      run: async () => {
        const output = await wrangle('deploy', '--dry-run')
        if (!shell.isDry) shell.say(`  ${checkBundle(output)}`)
      },
    },
    run('Migrate the database', wrangler(environment, 'd1', 'migrations', 'apply', environment.name, '--remote')),
    {
      name: 'Deploy',
      run: async () => {
        release = readRelease(await wrangle('deploy', ...version, ...secrets), shell)
      },
    },
    {
      name: 'Ask how it is',
      run: () => waitForRelease({ origin: site.origins[0] ?? '', release, isFirst }, shell),
    },
    run('Smoke checks', ['npm', 'run', 'cloud:smoke', '--', '--url', site.origins[0] ?? '', ...smokeOptions]),
  ]
}

/** Reads which version wrangler put live. @throws {CloudError} when it does not say so */
function readRelease(output: string, { isDry }: Shell): string {
  const release = /Current Version ID: (\S+)/.exec(output)?.[1]
  if (release !== undefined || isDry) return release ?? '<version>'
  throw new CloudError('wrangler did not say which version is live.')
}

/** Puts an older version of the worker live again, the one before where none is named. The database stays as it is. */
export async function rollBack(cloud: Omit<Cloud, 'base'> & { version: string | null }): Promise<void> {
  const { environment, shell, version } = cloud
  const settings = readSettings(environment, shell)
  if (settings === null)
    throw new CloudError(`There is no ${environment.settingsPath}, so nothing was deployed from here.`)
  shell.say('What was live')
  await shell.act(wrangler(environment, 'deployments', 'list'))
  shell.say('\nRoll back')
  const which = version === null ? [] : [version]
  const output = await shell.act(wrangler(environment, 'rollback', ...which, '--message', 'npm run rollback', '--yes'))
  shell.say('\nAsk how it is')
  const [origin = ''] = originsOf(environment, settings)
  await waitForRelease({ origin, release: readRelease(output, shell), isFirst: false }, shell)
  const restore = wrangler(environment, 'd1', 'time-travel', 'restore', environment.name, '--timestamp', 'WHEN')
  shell.say(`
The database is as it was: each migration leaves the version before it working.
Only where data itself was damaged, and at the price of everything written since, take it back to a moment:
  ${show(restore)}`)
}
