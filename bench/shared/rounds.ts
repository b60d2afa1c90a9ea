import { type Spread, spreadOf } from './statistics.ts'

/**
 * `unclear`: the rounds of one run lie on both sides of the limit and most of them miss it, so that the machine was too
 * noisy to tell. That is neither a pass nor a fault of the code: repeat it on a quieter machine.
 */
export type Verdict = 'met' | 'unclear' | 'missed'

/** A ratio that was measured several times in one run, each time against what it is compared with at that moment. */
export interface RatioOfRounds extends Spread {
  rounds: number[]
}

export function ratioOfRounds(rounds: readonly { own: number; other: number }[]): RatioOfRounds {
  const ratios = rounds.map(({ own, other }) => own / other)
  return { rounds: ratios, ...spreadOf(ratios) }
}

export function judgeRatio({ least, median, most }: Spread, limit: { atMost: number } | { atLeast: number }): Verdict {
  if ('atMost' in limit) return median <= limit.atMost ? 'met' : least <= limit.atMost ? 'unclear' : 'missed'
  return median >= limit.atLeast ? 'met' : most >= limit.atLeast ? 'unclear' : 'missed'
}

/** The ratio with its noise: `1.18 × (1.12–1.25)`. */
export function tellRatio({ least, median, most }: Spread): string {
  return `${median.toFixed(2)} × (${least.toFixed(2)}–${most.toFixed(2)})`
}
