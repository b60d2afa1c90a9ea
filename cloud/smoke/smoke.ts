import { execFileSync } from 'node:child_process'
import type { openClerk } from '../clerk.ts'
import type { Environment } from '../environment.ts'
import type { WorkerConfig } from '../make-config.ts'
import { listModels, modelsOf } from '../models.ts'
import { issuerOf, originsOf, readSettings } from '../settings.ts'
import { CloudError, type Shell } from '../shell.ts'
import { distance, parts, version } from './checks/deployment.ts'
import { edge, range, rateLimits, unshared } from './checks/edge.ts'
import { idleSocket, socket } from './checks/live.ts'
import { load } from './checks/load.ts'
import { catalogue, cost, jsonMode, stream } from './checks/models.ts'
import { clocks, removed, signIn } from './checks/sign-in.ts'
import { blanks, minute, spokenChecks, stereo } from './checks/speech.ts'
import { event, inParts, queue, steps, upload } from './checks/upload.ts'
import { createPerson, signUpPerson } from './person.ts'
import { type Check, LeftOut, seconds, type Visit } from './visit.ts'

/** In this order: later ones look at what the earlier ones have made. */
export const CHECKS: readonly Check[] = [
  version,
  catalogue,
  signIn,
  distance,
  upload,
  clocks,
  queue,
  steps,
  jsonMode,
  stream,
  ...spokenChecks,
  blanks,
  stereo,
  minute,
  event,
  inParts,
  socket,
  edge,
  range,
  unshared,
  idleSocket,
  rateLimits,
  parts,
  cost,
  removed,
]

interface SmokeOptions {
  environment: Environment
  shell: Shell
  /** Null: the environment's main address. */
  url: string | null
  clerk: ReturnType<typeof openClerk>
  /** `wrangler.toml` as it stands. */
  base: WorkerConfig
  /** Nothing was deployed there before. */
  isFirst?: boolean
  /** Videos to send at once; 0 for none. */
  load?: number
  /** How long a socket is left alone, milliseconds. */
  idleMs: number
}

/** Checks a deployment from outside, a line for each check; a dry run only lists them. @throws {CloudError} when one of them fails */
export async function smoke(options: SmokeOptions): Promise<void> {
  const { say } = options.shell
  const visit = openVisit(options)
  const checks = visit.load > 0 ? CHECKS.flatMap((each) => (each === removed ? [load, each] : [each])) : CHECKS
  if (options.shell.isDry) {
    for (const { name } of checks) say(`  would check ${name} at ${visit.origin}`)
    return say('\nNothing was run.')
  }
  const counts = { ok: 0, failed: 0, 'left out': 0 }
  for (const check of checks) counts[await runCheck(check, visit, say)] += 1
  say(
    Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
  )
  if (counts.failed > 0) throw new CloudError(`${counts.failed} of ${checks.length} checks failed at ${visit.origin}.`)
}

/** Runs one check and says its line. */
export async function runCheck(
  { name, advice, run }: Check,
  visit: Visit,
  say: (line: string) => void,
): Promise<'ok' | 'failed' | 'left out'> {
  const startMs = Date.now()
  const line = (mark: string, found: string) =>
    say(`${mark} ${name.padEnd(16)} ${found} (${seconds(Date.now() - startMs)})`)
  try {
    line('ok  ', await run(visit))
    return 'ok'
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    if (error instanceof LeftOut) line('–   ', `left out: ${found}`)
    else line('FAIL', `${found}. ${advice}`)
    return error instanceof LeftOut ? 'left out' : 'failed'
  }
}

/** A person can be made where Clerk's secret key is given, and where the stand-in of this machine takes Clerk's place. */
function openVisit(options: SmokeOptions): Visit {
  const { environment, shell, base, url, clerk, isFirst = false, load: videos = 0, idleMs } = options
  const settings = readSettings(environment, shell)
  const origin = url ?? (settings === null ? undefined : originsOf(environment, settings)[0])
  if (origin === undefined) throw new CloudError('Say which address is to be checked: --url https://…')
  const isHere = ['localhost', '127.0.0.1'].includes(new URL(origin).hostname)
  const frontendApi = isHere ? `${origin}/__clerk` : settings === null ? '' : issuerOf(settings)
  const places = { origin, frontendApi }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const hosted = clerk === null || frontendApi === '' ? null : () => createPerson(clerk, places)
  return {
    origin,
    isHere,
    isFirst,
    commit,
    person: null,
    moduleId: '',
    key: '',
    workerOffMs: null,
    aacTakenAs: null,
    hasBlanks: null,
    idleMs,
    load: videos,
    models: modelsOf(base, settings),
    listModels: settings === null ? null : () => listModels(environment, shell),
    openPerson: isHere ? () => signUpPerson(places) : hosted,
  }
}
