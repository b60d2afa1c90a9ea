import { isUploading } from './upload-item.ts'
import type { UploadManager } from './upload-manager.ts'

/** Asks before the tab is closed while bytes are moving. Navigation inside the app does not stop an upload. */
export function guardLeaving(manager: UploadManager): void {
  function onBeforeUnload(event: BeforeUnloadEvent) {
    if (manager.getState().items.some(({ state }) => isUploading(state) && !('isPaused' in state && state.isPaused))) {
      event.preventDefault()
    }
  }
  // Listening all the time would keep the page out of the back-forward cache.
  manager.subscribe(() => {
    if (manager.isBusy) window.addEventListener('beforeunload', onBeforeUnload)
    else window.removeEventListener('beforeunload', onBeforeUnload)
  })
}
