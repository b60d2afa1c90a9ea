import { openIndex } from '#worker/domain/tutor/open-index.ts'
import { rankPassages } from '#worker/domain/tutor/rank-passages.ts'
import { findWords } from '#worker/domain/tutor/words.ts'
import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { type GoldItem, readSegments } from '../steps/chapters.ts'

/** How long a long video takes. Ratios are to splitting its words alone, on the same machine. */
export interface Speed {
  hours: number
  openMs: number
  rankMs: number
  openRatio: number
  rankRatio: number
}

const LONG_MS = 3 * 3_600_000
const ROUNDS = 7
const QUESTION = 'How does the speaker decide between the two methods, and why is the second one faster?'

/** Measures a transcript of three hours, made of the benchmark's recordings one after another. */
export function measureSpeed(gold: readonly GoldItem[]): Speed {
  const segments = joinRecordings(gold)
  const index = openIndex({ segments, steps: [] })
  const splitMs = takeFastest(() => segments.map(({ text }) => findWords(text)))
  const openMs = takeFastest(() => openIndex({ segments, steps: [] }))
  const rankMs = takeFastest(() => rankPassages(index, { question: QUESTION }))
  return {
    hours: (segments.at(-1)?.endMs ?? 0) / 3_600_000,
    openMs,
    rankMs,
    openRatio: openMs / splitMs,
    rankRatio: rankMs / splitMs,
  }
}

function joinRecordings(gold: readonly GoldItem[]): SaidSegment[] {
  const joined: SaidSegment[] = []
  for (const item of gold) {
    const offsetMs = joined.at(-1)?.endMs ?? 0
    if (offsetMs >= LONG_MS) break
    for (const segment of readSegments(item)) {
      joined.push({
        ...segment,
        id: `s${joined.length}`,
        startMs: segment.startMs + offsetMs,
        endMs: segment.endMs + offsetMs,
      })
    }
  }
  return joined
}

/** The fastest round: whatever else the machine does only adds to it. */
function takeFastest(work: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    work()
    fastest = Math.min(fastest, performance.now() - start)
  }
  return fastest
}
