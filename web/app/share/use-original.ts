import { useEffect, useState } from 'react'
import type { ShareAnswer, SharedModule } from '#contract/share.ts'
import type { SharedStep } from '#contract/step.ts'
import { listen } from '#web/lib/browser-state.ts'

/** The steps of a translated training as they were before, by their ids. */
export type Originals = ReadonlyMap<string, SharedStep>

const FAILED = 'The original could not be loaded. Try again'

/** Loads what the steps say in the original, once a learner wants it beside the translation; null while not. */
export function useOriginal(moduleId: SharedModule['id']): Originals | null {
  const [originals, setOriginals] = useState<Originals | null>(null)
  useEffect(() => {
    // It stands in the page's HTML, where it costs no script.
    const button = document.getElementById('beside')
    if (button === null) return
    const label = button.textContent
    const show = (next: Originals | null) => {
      setOriginals(next)
      button.setAttribute('aria-pressed', String(next !== null))
    }
    const click = async () => {
      button.textContent = label
      if (button.getAttribute('aria-pressed') === 'true') return show(null)
      try {
        const answer = await fetch(`/api/share/${encodeURIComponent(moduleId)}`)
        const { module } = (await answer.json()) as ShareAnswer
        show(new Map(module.steps.map((step) => [step.id, step])))
      } catch {
        button.textContent = FAILED
      }
    }
    return listen(button, { click: () => void click() })
  }, [moduleId])
  return originals
}
