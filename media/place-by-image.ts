import { changedShare, findScenes, type Sample } from './find-scenes.ts'

/** A step with what its image shows. */
export interface ImagedStep {
  id: string
  lengthMs: number
  /** As those of a {@link Sample}. */
  cells: Uint8Array
}

/** Where a step's image is shown in another video. */
export interface ImagePlace {
  startMs: number
  endMs: number
  /** How sure that is, 0 to 1. */
  confidence: number
}

/** Scenes of a video; of more than this, those that differ the most. */
const SCENES_MAX = 200
/** An image that differs more from all of a scene shows something else: a window has opened, or the page is another one. */
const DIFFERENCE_MAX = 0.35
/** What is left of the surety of a scene where another one is as alike; and how much less alike makes it all. */
const RIVALLED = 0.4
const CLEAR_LEAD = 0.1

interface Scene {
  startMs: number
  endMs: number
  samples: readonly Sample[]
}

/**
 * Finds where the steps of a silent video are in a new recording of it, by the scene that shows what the image of each
 * does: in another order, with more or fewer of them. Each scene is of one step.
 * @returns by the id of the step; without those that are not in it
 */
export function placeByImages(
  steps: readonly ImagedStep[],
  samples: readonly Sample[],
  durationMs: number,
): Map<string, ImagePlace> {
  const scenes = listScenes(samples, durationMs)
  const differences = steps.map(({ cells }) => scenes.map((scene) => differenceOf(cells, scene)))
  const taken = new Map<number, number>()
  const pairs = differences.flatMap((row, step) => row.map((difference, scene) => ({ step, scene, difference })))
  for (const { step, scene, difference } of pairs.toSorted((one, other) => one.difference - other.difference)) {
    const isFree = !taken.has(scene) && ![...taken.values()].includes(step)
    if (isFree && difference <= DIFFERENCE_MAX) taken.set(scene, step)
  }
  const places = new Map<string, ImagePlace>()
  for (const [index, { startMs, endMs }] of scenes.entries()) {
    const at = taken.get(index)
    const step = at === undefined ? undefined : steps[at]
    if (at === undefined || step === undefined) continue
    const nextMs = scenes.find((_, other) => other > index && taken.has(other))?.startMs ?? durationMs
    // A step may show more than one scene; what is not of another step is its own as far as it was long.
    const untilMs = Math.max(endMs, Math.min(nextMs, startMs + step.lengthMs))
    places.set(step.id, { startMs, endMs: untilMs, confidence: rate(differences[at] ?? [], index) })
  }
  return places
}

function listScenes(samples: readonly Sample[], durationMs: number): Scene[] {
  const found = findScenes(samples, { durationMs, most: SCENES_MAX })
  const starts = found.length === 0 ? [0] : found
  return starts.map((startMs, index) => {
    const endMs = starts[index + 1] ?? durationMs
    return { startMs, endMs, samples: samples.filter(({ timeMs }) => timeMs >= startMs && timeMs < endMs) }
  })
}

/** How much an image differs from the moment of a scene that is the most alike. */
function differenceOf(cells: Uint8Array, { samples }: Scene): number {
  return samples.reduce((least, sample) => Math.min(least, changedShare(cells, sample.cells)), 1)
}

/** How alike a scene is, and how much more so than any other. */
function rate(differences: readonly number[], scene: number): number {
  const own = differences[scene] ?? 1
  const rival = Math.min(1, ...differences.filter((_, index) => index !== scene))
  const lead = Math.min(1, Math.max(0, rival - own) / CLEAR_LEAD)
  return (1 - own / DIFFERENCE_MAX / 2) * (RIVALLED + (1 - RIVALLED) * lead)
}
