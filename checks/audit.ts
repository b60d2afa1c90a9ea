// `npm run check:audit`: whether vulnerabilities are known in what ships, where the registry can say so. `npm audit` itself
// accepts nothing until a day, and fails where a registry does not answer.
import { execFile } from 'node:child_process'

/** A known vulnerability that does not stop the gate until a day, because of a reason. */
interface Acceptance {
  /** Address of the advisory, as npm names it: `https://github.com/advisories/GHSA-…` */
  advisory: string
  reason: string
  /** The last day (UTC, `2026-12-31`) on which it is accepted. */
  until: string
}

interface Advisory {
  url: string
  name: string
  title: string
  severity: string
  range: string
}

/** What `npm audit --json` prints; without `vulnerabilities`, why it could not ask. */
interface AuditAnswer {
  message?: string
  error?: { summary?: string }
  vulnerabilities?: Record<string, { via: (string | Advisory)[] }>
}

/** What comes of an audit: lines for people, and whether the gate may go on. */
export interface AuditOutcome {
  isPassed: boolean
  lines: string[]
}

/** Severities that stop the gate; `low` and `moderate` are printed. */
const STOPPING = new Set(['high', 'critical'])

/** Judges what npm said on a day (UTC, `2026-12-31`). An answer that is none is a skip: the registry does not audit. */
export function judgeAudit(answer: AuditAnswer, accepted: readonly Acceptance[], today: string): AuditOutcome {
  if (answer.vulnerabilities === undefined) {
    const reason = answer.message ?? answer.error?.summary ?? 'npm gave no answer'
    return { isPassed: true, lines: [`Audit: skipped, because the registry does not answer it (${reason}).`] }
  }
  const advisories = listAdvisories(answer.vulnerabilities)
  const judged = advisories.map((advisory) => judgeAdvisory(advisory, accepted, today))
  const isPassed = judged.every(({ isStopping }) => !isStopping)
  const summary = isPassed ? 'Audit: nothing known that is high or critical in what ships.' : 'Audit: failed.'
  return { isPassed, lines: [...judged.map(({ line }) => line), summary] }
}

/** A vulnerability once, however many packages bring it along. */
function listAdvisories(vulnerabilities: NonNullable<AuditAnswer['vulnerabilities']>): Advisory[] {
  const own = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((cause) => typeof cause !== 'string'))
  return [...new Map(own.map((advisory) => [`${advisory.url} ${advisory.name}`, advisory])).values()]
}

function judgeAdvisory(advisory: Advisory, accepted: readonly Acceptance[], today: string) {
  const { url, name, title, severity, range } = advisory
  const line = `${severity}: ${name} ${range}: ${title} (${url})`
  if (!STOPPING.has(severity)) return { isStopping: false, line }
  const acceptance = accepted.find((known) => known.advisory === url)
  if (acceptance === undefined) return { isStopping: true, line }
  const { until, reason } = acceptance
  // Days written like this compare as text.
  if (until < today) return { isStopping: true, line: `${line}; was accepted until ${until}: ${reason}` }
  return { isStopping: false, line: `${line}; accepted until ${until}: ${reason}` }
}

/** A registry that answers does so within two seconds; one that does not must not hold up the gate. */
const DEADLINE_MS = 60_000

/** One try, so that a registry that is down is noticed within the deadline. */
const ARGS = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000']

export function askNpm(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<AuditAnswer> {
  return new Promise((resolve) => {
    // npm ends with 1 both where it found something and where it could not ask; only its output shows which.
    execFile('npm', ARGS, { cwd: folder, env, timeout: DEADLINE_MS, maxBuffer: 64_000_000 }, (error, stdout) => {
      if (error?.killed) resolve({ message: `no answer within ${DEADLINE_MS / 1000} s` })
      else resolve(readAnswer(stdout))
    })
  })
}

function readAnswer(stdout: string): AuditAnswer {
  try {
    return JSON.parse(stdout) as AuditAnswer
  } catch {
    return { message: 'npm printed no JSON' }
  }
}

/** None at present. Each needs a reason and a day after which it is looked at again. */
const ACCEPTED: readonly Acceptance[] = []

if (import.meta.main) {
  const { isPassed, lines } = judgeAudit(await askNpm('.'), ACCEPTED, new Date().toISOString().slice(0, 10))
  for (const line of lines) console.log(line)
  process.exitCode = isPassed ? 0 : 1
}
