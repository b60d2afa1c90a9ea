import { Health } from '#contract/debug.ts'
import { type AskExtras, CloudError, type OtherAnswer, type Shell } from './shell.ts'

/** Reads what Adapt says about itself at an origin. @returns null where nothing answers, or something else does */
export async function findHealth(origin: string, shell: Shell, extras: AskExtras = {}): Promise<Health | null> {
  return Health.safeParse(await shell.fetchJson(`${origin}/api/health`, extras)).data ?? null
}

/** Describes an answer that is none of Adapt's, and what to do where Cloudflare itself has refused to pass a call on. */
export function describeOther({ status, type }: OtherAnswer): string {
  const what = `${status}${type === '' ? '' : ` (${type.split(';', 1)[0]})`}`
  if (status !== 403 || !type.startsWith('text/html')) return what
  return `${what}, as Bot Fight Mode does: let the address of this machine pass at Security › WAF › Tools, or switch that mode off`
}

/**
 * Refuses hosts that lead somewhere else: without a terminal wrangler answers yes to its own question whether it may
 * take over a record. @throws {CloudError} naming the records
 */
export async function requireOwnHosts(origins: readonly string[], shell: Shell): Promise<void> {
  for (const origin of origins) {
    const { hostname } = new URL(origin)
    const records = await shell.findRecords(hostname)
    if (records.length === 0 || (await findHealth(origin, shell)) !== null) continue
    throw new CloudError(
      [
        `${hostname} has records already, and no Adapt answers there:`,
        ...records,
        'A deployment replaces them. Remove them yourself, choose another host, or take them over:',
        'npm run deploy -- --take-over',
      ].join('\n  '),
    )
  }
}

const MINUTE_MS = 60_000
/** The first certificate of a host takes minutes (Cloudflare, "Custom Domains"). */
const FIRST_WAIT_MS = 10 * MINUTE_MS
/** A new version is everywhere within seconds. */
const WAIT_MS = 2 * MINUTE_MS
const PAUSE_MS = 5_000

interface Awaited {
  origin: string
  /** Cloudflare's id of the version: one commit is deployed again where settings have changed. */
  release: string
  isFirst: boolean
}

/** Waits until a version answers and is well; another one does not count. @throws {CloudError} saying what answered last */
export async function waitForRelease({ origin, release, isFirst }: Awaited, shell: Shell): Promise<void> {
  const waitMs = isFirst ? FIRST_WAIT_MS : WAIT_MS
  shell.say(`  waits up to ${waitMs / MINUTE_MS} minutes for ${origin}/api/health to answer as version ${release}`)
  if (shell.isDry) return
  const { hostname } = new URL(origin)
  const untilMs = Date.now() + waitMs
  let last = 'Nothing answered.'
  const onOther = (answer: OtherAnswer) => {
    last = `It answered ${describeOther(answer)}.`
  }
  do {
    // Where name servers cannot be asked from here, the host itself is.
    const records = isFirst ? await shell.findRecords(hostname, { isQuiet: true }).catch(() => [hostname]) : [hostname]
    const health = records.length > 0 ? await findHealth(origin, shell, { isQuiet: true, onOther }) : null
    if (health?.release === release && health.success) return shell.say(`  ${health.version} answers`)
    if (health !== null) last = `It answered: ${JSON.stringify(health)}`
    await shell.pause(PAUSE_MS)
  } while (Date.now() < untilMs)
  throw new CloudError(`${origin}/api/health did not answer as version ${release}. ${last}`)
}
