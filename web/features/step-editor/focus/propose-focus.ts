import { FOCUS_MIN_PERCENT, type StepFocus } from '#contract/step.ts'
import { findChangedPart } from '#media/find-changed-part.ts'
import { toCells } from '#media/find-scenes.ts'
import { type DrawFrames, readPixels } from '#web/lib/step-images.ts'
import { placeInFrame } from './move-focus.ts'

/** As wide as scenes are compared. */
const WIDTH_PX = 320
/** More would load more of the video for little. */
const LOOKS = 8

/** Looks at moments of a step for the one part in which something happens. @returns null where there is none */
export async function proposeFocus(
  draw: DrawFrames,
  { startS, endS }: { startS: number; endS: number },
): Promise<StepFocus | null> {
  const moments = Array.from({ length: LOOKS }, (_, at) =>
    Math.round(1000 * (startS + ((endS - startS) * (at + 0.5)) / LOOKS)),
  )
  const samples: Uint8Array[] = []
  let picture = { width: 16, height: 9 }
  for await (const frame of draw(moments, WIDTH_PX)) {
    if (frame === null) continue
    picture = { width: frame.width, height: frame.height }
    samples.push(toCells(readPixels(frame)))
  }
  const part = findChangedPart(samples, FOCUS_MIN_PERCENT)
  return part && placeInFrame(part, picture)
}
