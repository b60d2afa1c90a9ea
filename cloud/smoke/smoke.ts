import { execFileSync } from 'node:child_process'
import type { openClerk } from '../clerk.ts'
import type { Environment } from '../environment.ts'
import { issuerOf, originsOf, readSettings } from '../settings.ts'
import { CloudError, type Shell } from '../shell.ts'
import { parts, version } from './checks/deployment.ts'
import { edge, rateLimits } from './checks/edge.ts'
import { socket } from './checks/live.ts'
import { cost, jsonMode, stream } from './checks/models.ts'
import { clocks, removed, signIn } from './checks/sign-in.ts'
import { spokenChecks } from './checks/speech.ts'
import { queue, steps, upload } from './checks/upload.ts'
import { createPerson, signUpPerson } from './person.ts'
import { type Check, LeftOut, seconds, type Visit } from './visit.ts'

/** In this order: later ones look at what the earlier ones have made. */
const CHECKS: readonly Check[] = [
  version,
  signIn,
  upload,
  clocks,
  queue,
  steps,
  jsonMode,
  stream,
  ...spokenChecks,
  socket,
  edge,
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
  /** Nothing was deployed there before. */
  isFirst?: boolean
}

/** Checks a deployment from outside, a line for each check; a dry run only lists them. @throws {CloudError} when one of them fails */
export async function smoke(options: SmokeOptions): Promise<void> {
  const { say } = options.shell
  const visit = openVisit(options)
  if (options.shell.isDry) {
    for (const { name } of CHECKS) say(`  would check ${name} at ${visit.origin}`)
    return say('\nNothing was run.')
  }
  const counts = { ok: 0, failed: 0, 'left out': 0 }
  for (const { name, advice, run } of CHECKS) {
    const startMs = Date.now()
    const line = (mark: string, found: string) =>
      say(`${mark} ${name.padEnd(16)} ${found} (${seconds(Date.now() - startMs)})`)
    try {
      line('ok  ', await run(visit))
      counts.ok += 1
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error)
      counts[error instanceof LeftOut ? 'left out' : 'failed'] += 1
      if (error instanceof LeftOut) line('–   ', `left out: ${found}`)
      else line('FAIL', `${found}. ${advice}`)
    }
  }
  say(
    Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
  )
  if (counts.failed > 0) throw new CloudError(`${counts.failed} of ${CHECKS.length} checks failed at ${visit.origin}.`)
}

/** A person can be made where Clerk's secret key is given, and where the stand-in of this machine takes Clerk's place. */
function openVisit({ environment, shell, url, clerk, isFirst = false }: SmokeOptions): Visit {
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
    openPerson: isHere ? () => signUpPerson(places) : hosted,
  }
}
