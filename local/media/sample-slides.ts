import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cue } from './narrate.ts'
import script from './sample-script.json' with { type: 'json' }

/** Everything about the drawn printer that can change; each number goes from 0 to 1. */
interface Scene {
  power: number
  lid: number
  /** How far the roll is lifted out of its place. */
  rollLift: number
  /** A full roll of paper; otherwise an empty core. */
  fullRoll: number
  /** Share of the paper's way from the roll to outside of the slot. */
  paper: number
  label: number
  /** Which arrow points at something; its progress is drawn by time. */
  arrow: string | null
}

const FIRST_SCENE: Scene = { power: 1, lid: 0, rollLift: 0, fullRoll: 0, paper: 0, label: 0, arrow: null }

/** One part of the narration: what is said, what stands beside the drawing, and what moves. */
interface ScriptPart {
  heading: string[]
  hint: string
  /** Null before the first and after the last step. */
  step: number | null
  /** Narrator's sentences; each becomes one caption cue. */
  sentences: string[]
  /** How the scene looks when the part begins, where it differs from how the last part ended. */
  begin?: Partial<Scene>
  /** Moves in the middle of the sentence with this index. */
  moves: { sentence: number; to: Partial<Scene>; arrow: string | null }[]
}

/** The narration of the sample: a how-to as people record them, in words that a recogniser knows. */
export const SAMPLE_SCRIPT = script as ScriptPart[]

interface Moment {
  scene: Scene
  part: ScriptPart
  /** Since the part's slide came up. */
  partAgeMs: number
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

const DRAWING = readFileSync(join(import.meta.dirname, 'sample-slide.svg'), 'utf8')
const STEPS = 7
const FADE_MS = 350
const LID_OPEN_DEGREES = -64
const ROLL = { top: 275, liftPx: 250, fullRadius: 92, coreRadius: 38 }
/** Paper beyond this height of the roll would hang in the air. */
const PAPER_LIFT_MAX = 0.6
/** The loose end of a full roll hangs a little over its side. */
const PAPER_PX = { loose: 121, pulled: 403 }
const ARROW_PX: Record<string, number> = {
  powerButton: 104,
  feedButton: 104,
  liftCover: 321,
  pushCover: 285,
  rollUp: 140,
  rollDown: 130,
  pullPaper: 130,
}

export function drawSlide({ scene, part, partAgeMs, pulse }: Moment): string {
  const { power, lid, rollLift, fullRoll, paper, label, arrow } = scene
  const text = Math.min(1, Math.max(0, partAgeMs / FADE_MS))
  const rollTop = ROLL.top - rollLift * ROLL.liftPx
  const values: Record<string, string | number | undefined> = {
    power,
    lidDegrees: LID_OPEN_DEGREES * lid,
    rollOpacity: Math.min(1, 3 * (1 - rollLift)),
    rollTop,
    rollRadius: fullRoll ? ROLL.fullRadius : ROLL.coreRadius,
    fullRoll,
    paperOpacity: fullRoll && rollLift <= PAPER_LIFT_MAX ? 1 : 0,
    paperTop: rollTop - ROLL.fullRadius + 3,
    paperLength: PAPER_PX.loose + (PAPER_PX.pulled - PAPER_PX.loose) * paper,
    label,
    labelLeft: 452 + 30 * label,
    labelTop: 120 + 10 * (1 - label),
    arrow: arrow ?? 'none',
    arrowLength: pulse * (ARROW_PX[arrow ?? ''] ?? 0),
    arrowTip: pulse > 0.9 ? 1 : 0,
    textOpacity: text,
    textTop: 14 * (1 - text),
    badge: part.step === null ? 0 : 1,
    step: part.step ?? '',
    heading: part.heading[0],
    headingEnd: part.heading[1],
    hint: part.hint,
    // Each step has a bar of 62 px.
    doneWidth: 62 * (part.step ?? (label === 1 ? STEPS : 0)),
  }
  return DRAWING.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

export function formatWebVtt(cues: Cue[]): string {
  const blocks = cues.map(({ startMs, endMs, text }) => `${formatTime(startMs)} --> ${formatTime(endMs)}\n${text}\n`)
  return ['WEBVTT\n', ...blocks].join('\n')
}

/** WebVTT has the hours, minutes, seconds and milliseconds of ISO 8601. */
function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice('1970-01-01T'.length, -1)
}
