import { createStore } from 'zustand/vanilla'

/** How far this tab has read the screens of modules, in percent, by their ids. */
export const screenProgress = createStore<Readonly<Record<string, number>>>(() => ({}))

/** Says how far a module's screen was read; null where none is being read. */
export function setScreenProgress(moduleId: string, percent: number | null): void {
  const { [moduleId]: before, ...others } = screenProgress.getState()
  if (before !== (percent ?? undefined))
    screenProgress.setState(percent === null ? others : { ...others, [moduleId]: percent }, true)
}
