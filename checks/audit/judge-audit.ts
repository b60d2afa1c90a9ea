/** A known vulnerability that does not stop the gate until a day, because of a reason. */
export interface Acceptance {
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
export interface AuditAnswer {
  message?: string
  error?: { summary?: string }
  vulnerabilities?: Record<string, { via: (string | Advisory)[] }>
}

/** What comes of an audit: lines for people, and whether the gate may go on. */
export interface AuditOutcome {
  isPassed: boolean
  lines: string[]
}

/** Severities that stop the gate; `low` and `moderate` are told. */
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
  const told = `${severity}: ${name} ${range}: ${title} (${url})`
  if (!STOPPING.has(severity)) return { isStopping: false, line: told }
  const acceptance = accepted.find((known) => known.advisory === url)
  if (acceptance === undefined) return { isStopping: true, line: told }
  const { until, reason } = acceptance
  // Days written like this compare as text.
  if (until < today) return { isStopping: true, line: `${told}; was accepted until ${until}: ${reason}` }
  return { isStopping: false, line: `${told}; accepted until ${until}: ${reason}` }
}
