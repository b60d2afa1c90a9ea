import type { NewStepReport } from '#contract/feedback/step-report.ts'
import { ASKED_REPORTS_MAX, RESTORABLE_DAYS } from '#contract/limits.ts'
import type { SendOutcome } from '#web/features/learning/report-outbox.ts'
import type { FilledReport, ReportOutcome } from '#web/features/step-report/report-sheet.tsx'
import { keepStored, listen, listStored, parseStored, readStored } from '#web/lib/browser-state.ts'
import { Courier } from '#web/lib/courier.ts'

/** A report that the server does not have yet. */
export interface WaitingReport extends FilledReport, Pick<NewStepReport, 'id' | 'stepId'> {
  moduleId: string
  /** When its module was first not there; null while it is. */
  missingSinceMs: number | null
}

/** What became of a report, as of a report of what was played. */
export type Delivery = { kind: 'taken' } | Exclude<SendOutcome, { kind: 'taken' }>

interface OutboxDeps {
  /** Learners of one browser do not send for each other. */
  who: string
  /** Never rejects. */
  send: (report: WaitingReport) => Promise<Delivery>
}

const MISSING_KEPT_MS = RESTORABLE_DAYS * 24 * 60 * 60_000
const REPORTED_KEY = 'adapt_reported:'

/** Reports of this device about a module that have arrived, the oldest first. */
export type Reported = Pick<WaitingReport, 'id' | 'stepId'>

export function readReported(moduleId: string): Reported[] {
  const stored = parseStored(REPORTED_KEY + moduleId)
  return Array.isArray(stored) ? stored : []
}

/** Forgets a report whose answer was read. */
export function forgetReported(moduleId: string, id: string): void {
  keepReported(
    moduleId,
    readReported(moduleId).filter((report) => report.id !== id),
  )
}

function keepReported(moduleId: string, reported: readonly Reported[]): void {
  keepStored(REPORTED_KEY + moduleId, reported.length === 0 ? null : JSON.stringify(reported.slice(-ASKED_REPORTS_MAX)))
}

/** Keeps reports on the device until the server has them, whichever page is open by then. */
export class StepReportOutbox extends Courier<WaitingReport, Delivery> {
  readonly #deps: OutboxDeps
  readonly #prefix: string
  /** Also those that the storage had no room for, which go with the page. */
  readonly #held = new Map<string, WaitingReport>()
  /** Ids of those whose module is not there: they are left to the next page. */
  readonly #missing = new Set<string>()
  /** Until when the server wants none of them, by their ids. */
  readonly #restingUntilMs = new Map<string, number>()
  #wake: ReturnType<typeof setTimeout> | undefined
  readonly #told = new Map<string, (outcome: ReportOutcome) => void>()

  constructor(deps: OutboxDeps) {
    super()
    this.#deps = deps
    this.#prefix = `adapt_report:${deps.who}:`
  }

  /** Sends what earlier pages have left, and again once there is a connection. @returns ends that */
  readonly open = (): (() => void) => {
    this.flush()
    const end = listen(window, { online: () => this.hurry() })
    return () => {
      end()
      this.rest()
    }
  }

  /**
   * Keeps a report and sends it. One of the same id takes its place, so that nothing is reported twice.
   * @returns what became of the first try
   */
  add(place: Pick<WaitingReport, 'id' | 'moduleId' | 'stepId'>, report: FilledReport): Promise<ReportOutcome> {
    const waiting = { ...place, ...report, missingSinceMs: null }
    this.#missing.delete(waiting.id)
    this.#restingUntilMs.delete(waiting.id)
    this.#held.set(waiting.id, waiting)
    this.#keep(waiting)
    return new Promise((resolve) => {
      this.#told.set(waiting.id, resolve)
      this.hurry()
    })
  }

  protected override bring(report: WaitingReport): Promise<Delivery> {
    return this.#deps.send(report)
  }

  protected override rest(): void {
    super.rest()
    clearTimeout(this.#wake)
  }

  /** Dangers first. One that reached a limit holds up no other. */
  protected override findNext(): WaitingReport | null {
    const nowMs = Date.now()
    const waiting = this.#list().filter(({ id }) => !this.#missing.has(id))
    const due = waiting.filter(({ id }) => (this.#restingUntilMs.get(id) ?? 0) <= nowMs)
    if (due.length === 0 && waiting.length > 0) {
      const untilMs = Math.min(...waiting.map(({ id }) => this.#restingUntilMs.get(id) ?? nowMs))
      clearTimeout(this.#wake)
      this.#wake = setTimeout(() => this.flush(), untilMs - nowMs)
    }
    return due.find(({ kind }) => kind === 'dangerous') ?? due[0] ?? null
  }

  /** Those of this page first. */
  #list(): WaitingReport[] {
    const stored = listStored(this.#prefix).map((key) => parseStored(key) as Partial<WaitingReport> | null)
    const left = stored.filter((report) => typeof report?.id === 'string' && !this.#held.has(report.id))
    return [...this.#held.values(), ...(left as WaitingReport[])]
  }

  protected override settle(report: WaitingReport, delivery: Delivery): number | null {
    const { id, stepId, moduleId } = report
    if (delivery.kind === 'later' && delivery.afterMs > 0) {
      this.#restingUntilMs.set(id, Date.now() + delivery.afterMs)
      this.#tell(report, 'limited')
      return null
    }
    if (delivery.kind === 'expired' || delivery.kind === 'later') {
      // Those behind it wait as well.
      for (const each of this.#held.values()) this.#tell(each, 'waiting')
      return 0
    }
    this.#held.delete(id)
    if (delivery.kind === 'missing' && mayComeBack(report)) {
      this.#missing.add(id)
      this.#keep(report)
      this.#tell(report, 'limited')
      return null
    }
    this.#tell(report, delivery.kind === 'taken' ? 'sent' : 'refused')
    keepStored(this.#keyOf(report), null)
    const reported = readReported(moduleId)
    if (delivery.kind === 'taken' && !reported.some((each) => each.id === id))
      keepReported(moduleId, [...reported, { id, stepId }])
    return null
  }

  #tell(report: WaitingReport, outcome: ReportOutcome): void {
    const isOver = outcome === 'sent' || outcome === 'refused'
    const isKept = isOver || readStored(this.#keyOf(report)) !== null
    this.#told.get(report.id)?.(isKept ? outcome : 'unkept')
    this.#told.delete(report.id)
  }

  #keep(report: WaitingReport): void {
    keepStored(this.#keyOf(report), JSON.stringify(report))
  }

  #keyOf({ moduleId, id }: WaitingReport): string {
    return `${this.#prefix}${moduleId}:${id}`
  }
}

/** Notes when a module was first found missing. */
function mayComeBack(report: WaitingReport): boolean {
  report.missingSinceMs ??= Date.now()
  return Date.now() - report.missingSinceMs <= MISSING_KEPT_MS
}
