import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { DebugTimelineAnswer, listIll, NO_SWEEP_YET } from '#contract/debug.ts'
import { CompleteAnswer } from '#contract/upload.ts'
import type { openClerk } from '../clerk.ts'
import type { Environment } from '../environment.ts'
import { issuerOf, originsOf, readSettings } from '../settings.ts'
import { CloudError, type Shell } from '../shell.ts'
import { askTutor, RECORDINGS, readUse, removeAll, sendVideo, speak, watchModule } from './flows.ts'
import { createPerson, signUpPerson } from './person.ts'
import {
  call,
  expectOk,
  LeftOut,
  POLL_MS,
  poll,
  read,
  readHealth,
  requirePerson,
  requireUpload,
  seconds,
  type Visit,
} from './visit.ts'

const QUEUE_WITHIN_MS = 60_000
/** The sweep comes each minute, and the first one of a new worker some minutes late. Without an answer nothing is waited for. */
const WELL_WITHIN_MS = 180_000
const READY_WITHIN_MS = 300_000
/** A token is refused a few seconds early or late. */
const CLOCKS_APART_MS = 5_000
const SHARE_ASKS = 5
/** `CAPTIONS_LIMIT` lets 30 pass in a minute; every location of Cloudflare counts by itself, and late. */
const LIMITED_CALLS = 200
const CALLS_AT_ONCE = 20

interface Check {
  name: string
  advice: string
  /** @returns what is true, in a few words @throws {LeftOut} */
  run: (visit: Visit) => Promise<string>
}

const CHECKS: readonly Check[] = [
  {
    name: 'Version',
    advice: 'Another commit is live than the one of this clone. Check that one out, or deploy this one.',
    run: async (visit) => {
      const { version, release } = await readHealth(visit)
      if (version === release) throw new LeftOut('it was deployed without a commit')
      if (version !== visit.commit) throw new Error(`${version} answers, this clone is at ${visit.commit}`)
      return version
    },
  },
  {
    name: 'Sign-in',
    advice: 'Run cloud:setup with CLERK_SECRET_KEY and deploy: the key or the template of this Clerk is another one.',
    run: async (visit) => {
      if (visit.openPerson === null) throw new LeftOut('set CLERK_SECRET_KEY, with which a person is made for a minute')
      const person = await visit.openPerson()
      visit.person = person
      await expectOk(await call(visit, '/api/modules'))
      return person.hasTemplate() ? 'a token of the template api is accepted' : 'a session token is, without a template'
    },
  },
  {
    name: 'Upload',
    advice: 'Run cloud:setup, which sets the rules of the bucket, and put both halves of its key again.',
    run: sendVideo,
  },
  {
    name: 'Clocks',
    advice: 'Set the clock of this machine. Where it is right, ask Cloudflare or Clerk.',
    run: async ({ person, workerOffMs }) => {
      if (person === null || workerOffMs === null) throw new LeftOut('nothing was signed')
      const off = { worker: workerOffMs, Clerk: person.clockOffMs() }
      if (Math.max(off.worker, off.Clerk) > CLOCKS_APART_MS)
        throw new Error(`the worker is ${seconds(off.worker)} off, Clerk ${seconds(off.Clerk)}`)
      return `less than ${seconds(CLOCKS_APART_MS)} apart`
    },
  },
  {
    name: 'Queue',
    advice: 'Run cloud:setup, which makes the queues, and look at their consumers in the dashboard.',
    run: async (visit) => {
      const { moduleId, key } = requireUpload(visit)
      const startMs = Date.now()
      await read(CompleteAnswer, await call(visit, '/api/upload/complete', { json: { moduleId, key } }))
      // At ten percent a doorbell has been sent, and no consumer has come.
      await poll(visit, QUEUE_WITHIN_MS, ({ status, progress }) => status !== 'PROCESSING' || progress > 10)
      return `a consumer came after ${seconds(Date.now() - startMs)}`
    },
  },
  {
    name: 'Steps',
    advice: 'Open /debug: the Timeline of the module says which task fails; `npx wrangler tail` shows why.',
    run: async (visit) => {
      requireUpload(visit)
      const startMs = Date.now()
      const module = await poll(visit, READY_WITHIN_MS, ({ status }) => status !== 'PROCESSING')
      if (module.status !== 'READY') throw new Error(`${module.status}: ${module.lastError ?? module.message}`)
      return `${module.steps.length} steps of a new video after ${seconds(Date.now() - startMs)}`
    },
  },
  {
    name: 'Model, JSON mode',
    advice: 'The steps are drafts of rules. Ask Workers AI › Models whether the account may use the model of Llama.',
    run: async (visit) => {
      const answer = await call(visit, `/api/debug/modules/${requireUpload(visit).moduleId}`)
      const { done = 0, drafts = 0 } = (await read(DebugTimelineAnswer, answer)).runs[0]?.steps ?? {}
      if (done === 0) throw new Error('no section was written')
      const { ai } = await readHealth(visit)
      if (drafts > 0) throw new Error(`${drafts} of ${done} sections were written without the model; ai: ${ai}`)
      return `none of ${done} sections had to be written without the model`
    },
  },
  { name: 'Model, stream', advice: 'Look for `tutor_model_failed` in the log.', run: askTutor },
  ...Object.entries(RECORDINGS).map(([container, makeRecording]) => ({
    name: `Speech, ${container}`,
    advice: '`npx wrangler tail` shows what the model said. If it cannot decode this, set SPEECH_BASE_URL.',
    run: (visit: Visit) => speak(visit, makeRecording),
  })),
  {
    name: 'Socket',
    advice: 'Look at the Durable Object ModuleRoom in the dashboard; pages poll each 5 s meanwhile.',
    run: watchModule,
  },
  {
    name: 'Edge',
    advice:
      'See `cache` in the log lines of /share: `[cache]` and `[exports.SharePage]` of wrangler.toml have to be deployed.',
    run: async (visit) => {
      const { moduleId } = requireUpload(visit)
      const seen: string[] = []
      while (seen.length < SHARE_ASKS) {
        const answer = await fetch(`${visit.origin}/share/${moduleId}`, { headers: { accept: 'text/html' } })
        await expectOk(answer)
        seen.push(answer.headers.get('x-adapt-edge') ?? 'none')
        if (seen.length > 1 && seen.at(-1) === 'HIT') return `call ${seen.length} of a shared page: HIT`
      }
      throw new Error(`a shared page was never answered from the edge: ${seen.join(', ')}`)
    },
  },
  {
    name: 'Rate limits',
    advice: '`[[ratelimits]]` of wrangler.toml have to be deployed; each environment has ids of its own.',
    run: async (visit) => {
      requirePerson(visit)
      const callOne = () => call(visit, '/api/captions/none', { method: 'PUT', body: 'WEBVTT', type: 'text/vtt' })
      for (let calls = CALLS_AT_ONCE; calls <= LIMITED_CALLS; calls += CALLS_AT_ONCE) {
        const answers = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, callOne))
        if (answers.some(({ status }) => status === 429)) return `refused within ${calls} calls`
      }
      throw new Error(`${LIMITED_CALLS} calls of one person within a minute were all let through`)
    },
  },
  {
    name: 'Parts',
    advice: 'docs/operations.md says what each part does; `probe_failed` in the log says why it did not answer.',
    run: async (visit) => {
      const untilMs = Date.now() + WELL_WITHIN_MS
      for (;;) {
        const ill = listIll(await readHealth(visit))
        if (ill.length === 0) return 'd1, r2, queues, durableObjects and ai are ok'
        if (visit.isFirst && ill.every(([part, state]) => part === 'queues' && state === NO_SWEEP_YET))
          throw new LeftOut(sayWhenToLook(visit))
        if (Date.now() > untilMs) throw new Error(ill.map(([part, state]) => `${part}: ${state}`).join('; '))
        await pause(POLL_MS)
      }
    },
  },
  {
    name: 'Cost',
    advice: 'The page /debug shows the same; docs/deploy.md says what a month costs.',
    run: async (visit) => `about $${(await readUse(visit)).estimatedUsd.toFixed(4)} of models by list price`,
  },
  {
    name: 'Removed',
    advice: 'Remove what it made by hand: the person at Clerk, and their module on /debug.',
    run: removeAll,
  },
]

/** A new cron reaches all of Cloudflare within this (Workers, "Cron Triggers"). */
const FIRST_SWEEP_MINUTES = 15

function sayWhenToLook({ origin }: Visit): string {
  const look = `open ${origin}/api/health then, where queues has to be ok`
  return `the first run of a new cron takes up to ${FIRST_SWEEP_MINUTES} minutes: ${look}`
}

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
