import { FIRST_SCENE, type Scene } from './draw-printer.ts'
import type { Cue } from './narrate.ts'
import type { ScriptPart } from './sample-script.ts'

/** What one moment of the sample shows. */
export interface Moment {
  scene: Scene
  part: ScriptPart
  /** Since the part's slide came up. */
  partAgeMs: number
  /** How far the arrow is drawn, 0–1. */
  pulse: number
}

// The slide comes up shortly before its first word.
const LEAD_MS = 500
const MOVE_MS = 1100
const PULSE_MS = 1100
// The listener hears what to do before it happens.
const MOVE_AT_SHARE = 0.55

/** Tells what the sample shows at a time; the cues say when each part's sentences are spoken. */
export function showMoment(script: ScriptPart[], cues: Cue[][], timeMs: number): Moment {
  const scene = { ...FIRST_SCENE }
  let current = { part: script[0] as ScriptPart, startMs: 0 }
  let arrowAgeMs = 0
  for (const [index, part] of script.entries()) {
    const startMs = index === 0 ? 0 : (cues[index]?.[0]?.startMs ?? 0) - LEAD_MS
    if (startMs > timeMs) break
    current = { part, startMs }
    Object.assign(scene, part.begin, { arrow: null })
    for (const { sentence, to, arrow } of part.moves) {
      const cue = cues[index]?.[sentence]
      if (!cue || cue.startMs > timeMs) break
      const moveAtMs = cue.startMs + (cue.endMs - cue.startMs) * MOVE_AT_SHARE
      const share = ease((timeMs - moveAtMs) / MOVE_MS)
      Object.assign(scene, blend(scene, to, share), { arrow: share < 1 ? arrow : null })
      arrowAgeMs = timeMs - cue.startMs
    }
  }
  const pulse = Math.min(1, (arrowAgeMs % (PULSE_MS * 1.4)) / (PULSE_MS * 0.8))
  return { scene, part: current.part, partAgeMs: timeMs - current.startMs, pulse }
}

function blend(from: Scene, to: Partial<Scene>, share: number): Partial<Scene> {
  const blended = Object.entries(to).map(([name, value]) => {
    const start = from[name as keyof Scene]
    return [name, typeof start === 'number' && typeof value === 'number' ? start + (value - start) * share : value]
  })
  return Object.fromEntries(blended)
}

function ease(share: number): number {
  const clamped = Math.min(1, Math.max(0, share))
  return clamped * clamped * (3 - 2 * clamped)
}
