/** One observation: its signs, whether it is a cut, and how much it counts. */
export interface Observation {
  row: readonly number[]
  isCut: boolean
  weight: number
}

/** Newton steps until a ridge logistic regression of this size has long converged. */
const NEWTON_STEPS = 15
const MAX_LOG_ODDS = 30

/** Fits a logistic regression with a ridge penalty. @returns one weight per sign, then the bias (not penalized). */
export function fitLogistic(observations: readonly Observation[], ridge: number): number[] {
  const size = (observations[0]?.row.length ?? 0) + 1
  let weights: number[] = Array.from({ length: size }, () => 0)
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const { gradient, hessian } = sumDerivatives(observations, weights)
    weights.forEach((weight, index) => {
      if (index === size - 1) return
      gradient[index] = (gradient[index] ?? 0) - ridge * weight
      ;(hessian[index] as number[])[index] = (hessian[index]?.[index] ?? 0) + ridge
    })
    const move = solve(hessian, gradient)
    weights = weights.map((weight, index) => weight + (move[index] ?? 0))
  }
  return weights
}

function sumDerivatives(observations: readonly Observation[], weights: readonly number[]) {
  const size = weights.length
  const gradient: number[] = Array.from({ length: size }, () => 0)
  const hessian: number[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
  for (const { row, isCut, weight } of observations) {
    const signs = [...row, 1]
    const logOdds = signs.reduce((sum, sign, index) => sum + sign * (weights[index] ?? 0), 0)
    const chance = 1 / (1 + Math.exp(-Math.min(MAX_LOG_ODDS, Math.max(-MAX_LOG_ODDS, logOdds))))
    const error = weight * (Number(isCut) - chance)
    const spread = weight * chance * (1 - chance)
    signs.forEach((sign, index) => {
      if (sign === 0) return
      gradient[index] = (gradient[index] ?? 0) + error * sign
      const line = hessian[index] as number[]
      signs.forEach((other, column) => {
        line[column] = (line[column] ?? 0) + spread * sign * other
      })
    })
  }
  return { gradient, hessian }
}

/** Gaussian elimination with partial pivoting. */
function solve(matrix: readonly number[][], vector: readonly number[]): number[] {
  const rows = matrix.map((line, index) => [...line, vector[index] ?? 0])
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0
  rows.forEach((_, pivot) => {
    let best = pivot
    for (let row = pivot + 1; row < rows.length; row += 1)
      if (Math.abs(at(row, pivot)) > Math.abs(at(best, pivot))) best = row
    ;[rows[pivot], rows[best]] = [rows[best] as number[], rows[pivot] as number[]]
    for (let row = 0; row < rows.length; row += 1) {
      const factor = row === pivot ? 0 : at(row, pivot) / at(pivot, pivot)
      if (factor !== 0) rows[row] = (rows[row] as number[]).map((value, column) => value - factor * at(pivot, column))
    }
  })
  return rows.map((_, index) => at(index, rows.length) / at(index, index))
}

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
