import { createStore, type StoreApi } from 'zustand/vanilla'

/** Whether an upload is held on the person's word. */
export type PauseSwitch = StoreApi<boolean>

export function makePauseSwitch(): PauseSwitch {
  return createStore(() => false)
}

/** Resolves at once where nothing is held. @throws the reason of the signal */
export async function whenRunning(pause: PauseSwitch, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (!pause.getState()) return
  let stop = () => {}
  await new Promise<void>((resolve) => {
    stop = pause.subscribe(() => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  stop()
  signal.throwIfAborted()
}
