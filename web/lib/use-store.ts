import { useSyncExternalStore } from 'react'
import type { StoreApi } from 'zustand/vanilla'

/** Reads a store and follows it. The hook of zustand imports all of React, which is 1 kB more for the share page. */
export function useStore<State>({ subscribe, getState }: Pick<StoreApi<State>, 'subscribe' | 'getState'>): State {
  return useSyncExternalStore(subscribe, getState)
}
