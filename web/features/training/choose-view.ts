import type { Module } from '#contract/module.ts'

/** Where the scenes of a video without speech get names, in the address of its training. */
export const NAMING_HASH = '#naming'

/** `awaited`: the processing screen of a module of which nothing is known yet. */
export type TrainingView = 'loading' | 'unavailable' | 'awaited' | 'failed' | 'naming' | 'workspace'

interface ViewInput {
  /** Undefined until it is known. */
  module: Pick<Module, 'status' | 'failureCode' | 'role'> | undefined
  /** Steps that can be followed now. */
  stepCount: number
  hasFailedToLoad: boolean
  /** The server says that the module does not exist, even if it was loaded before. */
  isGone: boolean
  /** The address says `processing=true`: the owner has just uploaded. */
  isExpectingSteps: boolean
  /** Of the address. */
  hash: string
}

/** Which of the page's states is shown. A failure takes no steps away that are already there. @see specification §4 */
export function chooseView(input: ViewInput): TrainingView {
  const { module, stepCount, hasFailedToLoad, isGone, isExpectingSteps, hash } = input
  if (isGone) return 'unavailable'
  if (module === undefined) {
    if (hasFailedToLoad) return 'unavailable'
    return isExpectingSteps ? 'awaited' : 'loading'
  }
  // Its owner stays there when the first name has made it READY.
  const isNaming = module.failureCode === 'unnamed' || (module.status === 'READY' && hash === NAMING_HASH)
  if (isNaming && module.role === 'owner') return 'naming'
  return module.status === 'FAILED' && stepCount === 0 ? 'failed' : 'workspace'
}
