import { keepStored, readStored } from '#web/lib/browser-state.ts'

const WAITING = 'waiting'

/** Whether this device has asked the trainer of a module: `waiting` until its answers were seen; null where it has not. */
export function readAskedState(moduleId: string): string | null {
  return readStored(`adapt_asked:${moduleId}`)
}

/** Whether something that was asked on this device waits for its answer. */
export function isAwaiting(moduleId: string): boolean {
  return readAskedState(moduleId) === WAITING
}

/** @param isAnswered all that was asked has an answer, which is shown */
export function keepAskedState(moduleId: string, { isAnswered }: { isAnswered: boolean }): void {
  keepStored(`adapt_asked:${moduleId}`, isAnswered ? 'seen' : WAITING)
}
