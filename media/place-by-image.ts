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
    const confidence = rate(differences[at] ?? [], index) * (beginsWith(step, scenes[index]) ? 1 : BEGINS_LATER)
    places.set(step.id, { startMs, endMs: untilMs, confidence })
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
  return Math.min(1, ...samples.map((sample) => differenceAt(cells, sample)))
}

function differenceAt(cells: Uint8Array, sample: Sample): number {
  const lighterBy = lightnessBetween(cells, sample.cells)
  return changedShare(cells, sample.cells, lighterBy) + Math.abs(lighterBy) * LIGHTER_COST
}

/** Left of the surety of a step that seems to begin within a scene, as where a page fills up line by line. */
const BEGINS_LATER = 0.5
/** So much later than in the step before, its image may be shown. */
const LATER_MS = 2_000

/** Whether a step begins with its scene: its image is of its first third, so that part of the scene shows it. */
function beginsWith({ cells, lengthMs }: ImagedStep, scene: Scene | undefined): boolean {
  if (scene === undefined) return true
  const least = differenceOf(cells, scene)
  const shown = scene.samples.find((sample) => differenceAt(cells, sample) <= least)
  return shown === undefined || shown.timeMs - scene.startMs <= lengthMs / 3 + LATER_MS
}

/** How much lighter or darker as a whole a new recording may be, of 255; with more a dark page would be a light one. */
const LIGHTER_MAX = 48
/** Adds to a difference, a twentieth at most: of two moments that show the same, the one that is as light is meant. */
const LIGHTER_COST = 0.05 / LIGHTER_MAX
const VALUES = 256

/** How much lighter all of an image is than another: the median over its values, as most of a page stays what it is. */
function lightnessBetween(one: Uint8Array, other: Uint8Array): number {
  const counts = new Uint16Array(2 * VALUES)
  for (let index = 0; index < one.length; index++) {
    const at = (one[index] ?? 0) - (other[index] ?? 0) + VALUES
    counts[at] = (counts[at] ?? 0) + 1
  }
  let [seen, median] = [0, 0]
  while (seen * 2 < one.length) seen += counts[median++] ?? 0
  return Math.max(-LIGHTER_MAX, Math.min(LIGHTER_MAX, median - 1 - VALUES))
}

/** How alike a scene is, and how much more so than any other. */
function rate(differences: readonly number[], scene: number): number {
  const own = differences[scene] ?? 1
  const rival = Math.min(1, ...differences.filter((_, index) => index !== scene))
  const lead = Math.min(1, Math.max(0, rival - own) / CLEAR_LEAD)
  return (1 - own / DIFFERENCE_MAX / 2) * (RIVALLED + (1 - RIVALLED) * lead)
}
