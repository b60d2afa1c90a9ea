import type { Allowed, CutPart } from './answers.ts'
import { languageCallMs, type Profile, speechCallMs } from './profiles.ts'

interface Floored {
  profile: Profile
  allowed: Allowed
  /** In time order. `cutAtMs` is 0 where the sound was cut before the run. */
  parts: readonly CutPart[]
}

export interface Floor {
  firstStepMs: number
  readyMs: number
}

/**
 * How fast a run can be when nothing but the models and the reader of the sound takes any time: a part can be heard
 * when it has been cut, a stretch can be written when all its parts have been heard, and each model takes as many calls
 * at once as are allowed, in the order in which they can begin.
 */
export function floorOf({ profile, allowed, parts }: Floored): Floor {
  const hearings = parts.map((part) => ({ fromMs: part.cutAtMs, callMs: speechCallMs(profile, part.audioMs) }))
  const heardAt = schedule(hearings, allowed.speechCalls)
  const endMs = parts.at(-1)?.endMs ?? 0
  const writings = planStretches(endMs, allowed.stretchesS).map((stretch) => {
    const its = parts.flatMap((part, at) => (part.startMs < stretch.endMs && part.endMs > stretch.startMs ? [at] : []))
    const fromMs = Math.max(...its.map((at) => heardAt[at] ?? 0))
    return { fromMs, callMs: languageCallMs(profile, stretch.endMs - stretch.startMs) }
  })
  const writtenAt = schedule(writings, allowed.languageCalls)
  return { firstStepMs: Math.min(...writtenAt), readyMs: Math.max(...writtenAt) }
}

interface Stretch {
  startMs: number
  endMs: number
}

/** Sections of a video, one after the other. */
export function planStretches(endMs: number, lengthsS: Allowed['stretchesS']): Stretch[] {
  const stretches: Stretch[] = []
  for (let startMs = 0; startMs < endMs; ) {
    const lengthMs = (lengthsS[stretches.length] ?? lengthsS.at(-1) ?? 0) * 1_000
    stretches.push({ startMs, endMs: Math.min(endMs, startMs + lengthMs) })
    startMs += lengthMs
  }
  return stretches
}

/** List scheduling: whoever can begin first takes the line that is free first. @returns when each call ends */
function schedule(calls: { fromMs: number; callMs: number }[], lines: number): number[] {
  const freeAt = Array.from({ length: lines }, () => 0)
  const endsAt = calls.map(() => 0)
  const order = calls.map((call, at) => ({ ...call, at })).toSorted((a, b) => a.fromMs - b.fromMs)
  for (const { fromMs, callMs, at } of order) {
    const line = freeAt.indexOf(Math.min(...freeAt))
    const ends = Math.max(freeAt[line] ?? 0, fromMs) + callMs
    freeAt[line] = ends
    endsAt[at] = ends
  }
  return endsAt
}
