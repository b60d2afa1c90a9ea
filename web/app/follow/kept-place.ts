import { keepChoice, readChoice } from '#web/lib/browser-state.ts'

/** How far the learner of this device has followed a training. */
export interface FollowPlace {
  /** Null before the first step was left. */
  stepId: string | null
  doneIds: readonly string[]
}

const keyOf = (moduleId: string) => `adapt_follow:${moduleId}`

export function readPlace(moduleId: string): FollowPlace {
  try {
    const kept = JSON.parse(readChoice(keyOf(moduleId)) ?? '{}') as Partial<FollowPlace>
    const doneIds = Array.isArray(kept.doneIds) ? kept.doneIds.filter((id) => typeof id === 'string') : []
    return { stepId: typeof kept.stepId === 'string' ? kept.stepId : null, doneIds }
  } catch {
    return { stepId: null, doneIds: [] }
  }
}

export function keepPlace(moduleId: string, place: FollowPlace): void {
  keepChoice(keyOf(moduleId), JSON.stringify(place))
}
