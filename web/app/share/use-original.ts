import { useEffect, useState } from 'react'
import type { SharedStep } from '#contract/step.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { loadShare } from './share-store.ts'

/** Loads the steps of a training in the original, by their ids, once a learner wants them beside a translation; null while not. */
export function useOriginal(moduleId: string): ReadonlyMap<string, SharedStep> | null {
  const [originals, setOriginals] = useState<ReadonlyMap<string, SharedStep> | null>(null)
  useEffect(() => {
    // It stands in the page's HTML, where it costs no script.
    const button = document.getElementById('beside')
    if (button === null) return
    const note = document.getElementById('beside-note')
    async function press() {
      const isShown = button?.getAttribute('aria-pressed') === 'true'
      const loaded = isShown ? null : await loadShare(moduleId, '')
      const steps = loaded?.kind === 'found' ? new Map(loaded.module.steps.map((step) => [step.id, step])) : null
      if (note !== null) note.textContent = isShown || steps !== null ? '' : m.the_original_could_not_be()
      button?.setAttribute('aria-pressed', String(steps !== null))
      setOriginals(steps)
    }
    return listen(button, { click: () => void press() })
  }, [moduleId])
  return originals
}
