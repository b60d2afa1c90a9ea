import { keepStored, parseStored } from '#web/lib/browser-state.ts'

/** How far the learner of this device has followed a training. */
export interface FollowPlace {
  /** Null before the first step was left. */
  stepId: string | null
  doneIds: readonly string[]
}

const keyOf = (moduleId: string) => `adapt_follow:${moduleId}`

export function readPlace(moduleId: string): FollowPlace {
  const { stepId, doneIds } = (parseStored(keyOf(moduleId)) ?? {}) as Partial<FollowPlace>
  return {
    stepId: typeof stepId === 'string' ? stepId : null,
    doneIds: Array.isArray(doneIds) ? doneIds.filter((id) => typeof id === 'string') : [],
  }
}

export function keepPlace(moduleId: string, place: FollowPlace): void {
  keepStored(keyOf(moduleId), JSON.stringify(place))
}
