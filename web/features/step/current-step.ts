/**
 * A seek to a step lands up to a frame before it (browsers round to the nearest decodable time), and the step that
 * was clicked must be the one that lights up.
 */
const SEEK_SLACK_S = 0.1

/**
 * Which step a moment belongs to: the one that started last. Before the first step there is none (null); between two
 * steps and after the last it stays with the step that was just shown.
 * @param orderedSteps by `start`, as the server sends them
 */
export function findCurrentStep<S extends { start: number }>(orderedSteps: readonly S[], timeS: number): S | null {
  let low = 0
  let high = orderedSteps.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const step = orderedSteps[middle]
    if (step !== undefined && step.start <= timeS + SEEK_SLACK_S) low = middle + 1
    else high = middle
  }
  return orderedSteps[low - 1] ?? null
}
