/** The share of changes that tests notice, and where that share is for all of them with a probability of 95 %. */
export interface Score {
  killed: number
  judged: number
  scorePercent: number
  lowPercent: number
  highPercent: number
}

/** Standard deviations of the normal distribution that hold 95 % of it. */
const Z = 1.96
const percent = (share: number) => Math.round(share * 1_000) / 10

/** Estimates the score of all changes by a sample of them, with Wilson's interval, which also holds near 0 and 100 %. */
export function scoreSample(killed: number, judged: number): Score {
  if (judged === 0) return { killed, judged, scorePercent: 0, lowPercent: 0, highPercent: 100 }
  const share = killed / judged
  const square = Z ** 2 / judged
  const centre = (share + square / 2) / (1 + square)
  const half = (Z * Math.sqrt((share * (1 - share)) / judged + square / (4 * judged))) / (1 + square)
  return {
    killed,
    judged,
    scorePercent: percent(share),
    lowPercent: percent(Math.max(0, centre - half)),
    highPercent: percent(Math.min(1, centre + half)),
  }
}
