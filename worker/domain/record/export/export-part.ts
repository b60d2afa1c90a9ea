import type { ExportRequest, ExportStep } from '#contract/records/export-request.ts'
import type { ExportedCheckpoints } from '#records/export-files.ts'
import type { Context } from '#worker/core/context.ts'

/** What one part takes of an invocation. */
export interface PartLimits {
  /** Queries and objects of what it holds. */
  calls: number
  /** Records that are in memory at once. */
  pageBytes: number
  /** People whose names are in memory at once. */
  peopleAtOnce: number
}

/**
 * An invocation has a thousand calls (D1, "Limits"), of which some are for the request itself and for what the part is
 * about. A page is thousands of acts, or some assignments of a thousand people.
 */
export const PART_LIMITS: PartLimits = { calls: 900, pageBytes: 4_000_000, peopleAtOnce: 2_000 }

/** A file of an export. */
export interface Content {
  name: string
  texts: AsyncIterable<string> | readonly (string | Uint8Array)[]
}

/** A part of an export while it is written: what it is of, and how far it has come. */
export class WrittenPart {
  /** How the next part is asked for; null while nothing is left for one. */
  next: ExportRequest | null = null
  #callsLeft: number
  readonly context: Pick<Context, 'db' | 'd1' | 'bucket'>
  readonly about: ExportedCheckpoints
  readonly number: number
  readonly limits: PartLimits

  constructor(
    context: Pick<Context, 'db' | 'd1' | 'bucket'>,
    { about, number, limits }: { about: ExportedCheckpoints; number: number; limits: PartLimits },
  ) {
    this.context = context
    this.about = about
    this.number = number
    this.limits = limits
    this.#callsLeft = limits.calls
  }

  get callsLeft(): number {
    return this.#callsLeft
  }

  /** Notes calls that are made. */
  take(calls: number): void {
    this.#callsLeft -= calls
  }

  /** Leaves the rest of a step, and all steps behind it, to the next part. */
  leave(step: ExportStep, after: string): void {
    const { from, end } = this.about
    this.next = { part: this.number + 1, from: from.seq, end: end.seq, step, after }
  }
}
