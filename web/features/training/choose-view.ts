import type { Module } from '#contract/module.ts'

export type TrainingView = 'loading' | 'unavailable' | 'processing' | 'failed' | 'workspace'

interface ViewInput {
  /** Undefined until it is known. */
  module: (Pick<Module, 'status'> & { steps: readonly unknown[] }) | undefined
  hasFailedToLoad: boolean
  /** The server says that there is no such module, whatever was known of it before. */
  isGone: boolean
  /** The address says `processing=true`: somebody has just uploaded. */
  isExpectingSteps: boolean
}

/** Which of the page's states is shown. @see specification §4 */
export function chooseView({ module, hasFailedToLoad, isGone, isExpectingSteps }: ViewInput): TrainingView {
  if (isGone) return 'unavailable'
  if (module === undefined) {
    if (hasFailedToLoad) return 'unavailable'
    return isExpectingSteps ? 'processing' : 'loading'
  }
  if (module.status === 'FAILED') return 'failed'
  if (module.status === 'PROCESSING' && (isExpectingSteps || module.steps.length === 0)) return 'processing'
  return 'workspace'
}
