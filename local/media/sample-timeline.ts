import { FIRST_SCENE, type Scene } from './draw-printer.ts'
import type { Cue } from './narrate.ts'
import script from './sample-script.json' with { type: 'json' }

/** One part of the narration: what is said, what stands beside the drawing, and what moves. */
interface ScriptPart {
  /** Lines of the slide's heading. */
  heading: string[]
  /** A line under the heading. */
  hint: string
  /** Null before the first and after the last step. */
  step: number | null
  /** Narrator's sentences; each becomes one caption cue. */
  sentences: string[]
  /** How the scene looks when the part begins, where it differs from how the last part ended. */
  begin?: Partial<Scene>
  /** Moves in the middle of the sentence with this index. */
  moves: { sentence: number; to: Partial<Scene>; arrow: Scene['arrow'] }[]
}

/** The narration of the sample: a how-to as people record them, in words that a recogniser knows. */
export const SAMPLE_SCRIPT = script as ScriptPart[]

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
// The narration comes before the action.
const MOVE_AT_SHARE = 0.55

/** Finds what the sample shows at a time; the cues say when each part's sentences are spoken. */
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

/** Writes cues as a WebVTT file. */
export function formatWebVtt(cues: Cue[]): string {
  const blocks = cues.map(({ startMs, endMs, text }) => `${formatTime(startMs)} --> ${formatTime(endMs)}\n${text}\n`)
  return ['WEBVTT\n', ...blocks].join('\n')
}

function formatTime(ms: number): string {
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) =>
    String(Math.floor(value)).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(ms % 1000).padStart(3, '0')}`
}
