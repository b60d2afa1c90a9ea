import { CHANGED_MIN, changedShare, toCells } from '#media/find-scenes.ts'
import { type DrawFrames, readPixels } from '#web/lib/step-images.ts'
import type { ProposedCut } from './propose-cuts.ts'

/** As wide as scenes are compared. */
const WIDTH_PX = 320
/** The longest are worth most, and each loads some of the video. */
const LOOKED_AT_MAX = 40
/** Between two looks into a pause something can be shown and be gone again. */
const LOOK_EVERY_S = 4
const LOOKS_MAX = 4

/**
 * Leaves out pauses in which something happens on the screen: who works in silence says nothing that could be left out.
 * A browser that cannot draw the video keeps none.
 */
export async function keepStill(proposed: readonly ProposedCut[], draw: DrawFrames | null): Promise<ProposedCut[]> {
  const longest = proposed.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, LOOKED_AT_MAX)
  const kept: ProposedCut[] = []
  for (const cut of proposed) {
    if (cut.kind === 'falseStart') kept.push(cut)
    else if (draw !== null && longest.includes(cut) && (await isStill(cut, draw))) kept.push(cut)
  }
  return kept
}

async function isStill({ start, end }: ProposedCut, draw: DrawFrames): Promise<boolean> {
  const looks = Math.min(LOOKS_MAX, Math.max(1, Math.round((end - start) / LOOK_EVERY_S)))
  const times = Array.from({ length: looks + 1 }, (_, at) => Math.round((start + ((end - start) * at) / looks) * 1000))
  let before: Uint8Array | null = null
  for await (const frame of draw(times, WIDTH_PX)) {
    if (frame === null) return false
    const cells = toCells(readPixels(frame))
    if (before !== null && changedShare(before, cells) >= CHANGED_MIN) return false
    before = cells
  }
  return true
}
