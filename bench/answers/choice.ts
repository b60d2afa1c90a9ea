/** One question: the signs of each passage and whether the answer is in it. */
export interface Choice {
  rows: readonly (readonly number[])[]
  isRight: readonly boolean[]
  weight: number
}

/** Steps of Adam after which weights of this size no longer move. */
const STEPS = 80
const RATE = 0.3
const LAST_RATE = 0.06
const FIRST_STEPS = 0.7

/**
 * Fits a conditional logit: the chance of a passage is the softmax of its weighted signs, and the chance of the right
 * ones together is made as large as possible, with a ridge.
 */
export function fitChoice(choices: readonly Choice[], ridge: number): number[] {
  const usable = choices.filter(({ isRight }) => isRight.includes(true) && isRight.includes(false))
  const size = usable[0]?.rows[0]?.length ?? 0
  const total = usable.reduce((sum, { weight }) => sum + weight, 0)
  const weights: number[] = Array.from({ length: size }, () => 0)
  const mean: number[] = Array.from({ length: size }, () => 0)
  const square: number[] = Array.from({ length: size }, () => 0)
  for (let step = 1; step <= STEPS; step += 1) {
    const gradient = sumGradient(usable, weights)
    const rate = step > STEPS * FIRST_STEPS ? LAST_RATE : RATE
    for (let at = 0; at < size; at += 1) {
      const slope = ((gradient[at] ?? 0) - ridge * (weights[at] ?? 0)) / total
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope
      square[at] = 0.99 * (square[at] ?? 0) + 0.01 * slope ** 2
      const scale = Math.sqrt((square[at] ?? 0) / (1 - 0.99 ** step)) + 1e-9
      weights[at] = (weights[at] ?? 0) + (rate * ((mean[at] ?? 0) / (1 - 0.9 ** step))) / scale
    }
  }
  return weights
}

function sumGradient(choices: readonly Choice[], weights: readonly number[]): number[] {
  const gradient: number[] = weights.map(() => 0)
  for (const { rows, isRight, weight } of choices) {
    const scores = rows.map((row) => row.reduce((sum, sign, at) => sum + sign * (weights[at] ?? 0), 0))
    const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
    const chances = scores.map((score) => Math.exp(score - top))
    const all = chances.reduce((sum, chance) => sum + chance, 0)
    const right = chances.reduce((sum, chance, at) => sum + (isRight[at] ? chance : 0), 0)
    rows.forEach((row, at) => {
      const chance = chances[at] as number
      const pull = weight * ((isRight[at] ? chance / right : 0) - chance / all)
      row.forEach((sign, column) => {
        gradient[column] = (gradient[column] ?? 0) + pull * sign
      })
    })
  }
  return gradient
}
