import type { BoundedContext, Context } from '#worker/core/context.ts'
import { type RunPart, type SweepCounts, sweep } from '../sweep.ts'
import { sweepPart } from '../sweep-parts.ts'

/** Work of many items over the storage and with the clock of a test, for which there are always queries left. */
export function unbounded<Some extends Context>(context: Some): Some & BoundedContext {
  return { ...context, queries: () => 0, hasQueriesLeft: () => true }
}

/** Does parts of a sweep in this invocation. */
export function runPartHere(context: Context): RunPart {
  return (part) => sweepPart(part, { ...unbounded(context), canMail: true })
}

/** A sweep whose parts are done in this invocation. */
export function sweepHere(context: Context): Promise<SweepCounts> {
  return sweep(context, runPartHere(context))
}
