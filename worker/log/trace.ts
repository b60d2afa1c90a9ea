import { AsyncLocalStorage } from 'node:async_hooks'

/** What all lines of one piece of work say, so that one line leads to the others. */
export interface Trace {
  /** Made where something begins: at the entry, in a sweep, when a watchdog wakes up. A run keeps that of its request. */
  requestId?: string | undefined
  /** Clerk's id of who is signed in. */
  userId?: string
  moduleId?: string
  run?: number
  /** Kind of a task. */
  stage?: string | undefined
  part?: number | undefined
  section?: number | undefined
  /** Counts from 1. */
  attempt?: number
}

const traces = new AsyncLocalStorage<Trace>()

/** Does a piece of work whose lines all say the same of it, in whatever it calls and waits for. */
export function withTrace<Result>(trace: Trace, work: () => Result): Result {
  return traces.run(trace, work)
}

/** What this piece of work says of itself; empty outside of any. */
export function currentTrace(): Readonly<Trace> {
  return traces.getStore() ?? {}
}

/** Adds what has become known meanwhile to all further lines. */
export function noteTrace(fields: Trace): void {
  Object.assign(traces.getStore() ?? {}, fields)
}
