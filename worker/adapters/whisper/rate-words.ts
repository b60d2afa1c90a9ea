interface Knot {
  probability: number
  share: number
}

/**
 * The share of a segment's words that were right, by the mean probability of its tokens. Fitted on how-tos that voices
 * of a computer read in white noise to Whisper base (docs/decisions/confidence-of-words.md).
 */
const RIGHT_SHARES: [Knot, ...Knot[]] = [
  { probability: 0, share: 0.2 },
  { probability: 0.4, share: 0.22 },
  { probability: 0.5, share: 0.44 },
  { probability: 0.6, share: 0.62 },
  { probability: 0.7, share: 0.86 },
  { probability: 0.8, share: 0.92 },
  { probability: 0.9, share: 0.98 },
  { probability: 1, share: 1 },
]

/** Estimates from the mean logarithm of its tokens' probabilities how likely a word of a segment was said. */
export function rateSegment(avgLogprob: number): number {
  const probability = Math.min(1, Math.exp(avgLogprob))
  let [from] = RIGHT_SHARES
  for (const to of RIGHT_SHARES.slice(1)) {
    if (probability <= to.probability) {
      const way = (probability - from.probability) / (to.probability - from.probability)
      return from.share + way * (to.share - from.share)
    }
    from = to
  }
  return from.share
}

/**
 * Estimates how likely a word was said: where both are known, the geometric mean of its own probability and that of its
 * segment, which together say more than either. Null where neither is known.
 */
export function rateWord(own: number | null, ofSegment: number | null): number | null {
  return own === null || ofSegment === null ? (own ?? ofSegment) : Math.sqrt(own * ofSegment)
}
