import { createContext, use, useSyncExternalStore } from 'react'
import type { UploadItem } from './upload-item.ts'
import type { UploadManager, UploadState } from './upload-manager.ts'

/** Null where nothing can be uploaded (the share page). */
export const UploadContext = createContext<UploadManager | null>(null)

const NOTHING: UploadState = { items: [], captions: null, gone: [] }
const never = () => () => undefined

export function useUploadState(): UploadState {
  const manager = use(UploadContext)
  return useSyncExternalStore(manager?.subscribe ?? never, manager?.getState ?? (() => NOTHING))
}

export function useUploadManager(): UploadManager {
  const manager = use(UploadContext)
  if (!manager) throw new Error('UploadContext is missing')
  return manager
}

/** What this tab is sending or has just sent for a module. */
export function useUploadOf(moduleId: string): UploadItem | null {
  return useUploadState().items.find((item) => item.moduleId === moduleId) ?? null
}
