import type { Module } from '#contract/module.ts'

/** A part of a video, in milliseconds from its beginning. */
export interface Span {
  startMs: number
  endMs: number
}

/** Speech that no long pause interrupts. */
export interface Stretch extends Span {
  /** The length of its sentences, without the pauses between them. */
  spokenMs: number
}

/** Narrators rarely pause for so long. */
const LONG_PAUSE_MS = 20_000

/** Whoever shows a task is silent for a while; a minute, or a quarter of a short video, is more than that. */
const SILENT_MS = 60_000
const SILENT_SHARE = 0.25

/** Joins the segments of a transcript that follow each other. @param segments in order */
export function joinStretches(segments: readonly Span[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { startMs, endMs } of segments) {
    const last = stretches.at(-1)
    const spokenMs = endMs - startMs
    if (last === undefined || startMs - last.endMs >= LONG_PAUSE_MS) stretches.push({ startMs, endMs, spokenMs })
    else Object.assign(last, { endMs: Math.max(last.endMs, endMs), spokenMs: last.spokenMs + spokenMs })
  }
  return stretches
}

/** What is known of a module and where its transcript came from. */
interface SpeechOf extends Pick<Module, 'status'> {
  durationMs: number | null
  source: Module['transcriptSource']
}

/**
 * Lists the parts of a READY module's video in which no speech was understood, without pauses in which a narrator works in silence.
 * Captions leave out what needs no words.
 * @param segments its transcript, in order
 */
export function listWithoutSpeech({ status, durationMs, source }: SpeechOf, segments: readonly Span[]): Span[] {
  if (status !== 'READY' || source !== 'speech' || durationMs === null) return []
  const stretches = joinStretches(segments)
  const starts = [...stretches.map(({ startMs }) => startMs), durationMs]
  const leastMs = Math.max(LONG_PAUSE_MS, Math.min(SILENT_MS, durationMs * SILENT_SHARE))
  return starts
    .map((endMs, index) => ({ startMs: stretches[index - 1]?.endMs ?? 0, endMs }))
    .filter(({ startMs, endMs }) => endMs - startMs >= leastMs)
}
