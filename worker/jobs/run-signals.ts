import type { RunId } from '#worker/domain/run/run-store.ts'

/** Lets one part of a run stop its neighbours of the same delivery, once the run as a whole cannot succeed. */
export interface RunSignals {
  signalOf(id: RunId): AbortSignal
  stop(id: RunId): void
}

/** Signals live as long as one batch: what was aborted there is settled there. */
export function openRunSignals(): RunSignals {
  const controllers = new Map<string, AbortController>()
  function controllerOf(id: RunId): AbortController {
    const key = `${id.moduleId}/${id.run}`
    const controller = controllers.get(key) ?? new AbortController()
    controllers.set(key, controller)
    return controller
  }
  return {
    signalOf: (id) => controllerOf(id).signal,
    stop: (id) => controllerOf(id).abort(),
  }
}
