/** How often recordings are drawn anew; the ends of an interval then move by less than a hundredth. */
const DRAWS = 2_000
/** The interval leaves out this share at either end. */
const TAIL = 0.025

export interface Estimate {
  mean: number
  low: number
  high: number
}

/**
 * The mean over groups, which weigh the same, with a bootstrap interval of 95 % over the recordings of each group.
 * @param groups one value for each recording of each group
 */
export function bootstrapMean(groups: readonly (readonly number[])[]): Estimate {
  const means: number[] = []
  const next = seededRandom()
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let total = 0
    for (const values of groups) {
      let sum = 0
      for (let each = 0; each < values.length; each += 1) sum += values[Math.floor(next() * values.length)] ?? 0
      total += sum / values.length
    }
    means.push(total / groups.length)
  }
  means.sort((left, right) => left - right)
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const at = (share: number) => means[Math.round(share * (DRAWS - 1))] ?? Number.NaN
  return { mean: meanOf(groups.map(meanOf)), low: at(TAIL), high: at(1 - TAIL) }
}

/** The same numbers in each run, so that figures repeat (mulberry32). */
function seededRandom(): () => number {
  let state = 43
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
