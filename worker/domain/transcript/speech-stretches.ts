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

/**
 * Lists the parts of a video in which nothing was understood, without pauses that a narrator may make.
 * @param segments in order
 */
export function listWithoutSpeech(segments: readonly Span[], durationMs: number): Span[] {
  const stretches = joinStretches(segments)
  const starts = [...stretches.map(({ startMs }) => startMs), durationMs]
  return starts
    .map((endMs, index) => ({ startMs: stretches[index - 1]?.endMs ?? 0, endMs }))
    .filter(({ startMs, endMs }) => endMs - startMs >= LONG_PAUSE_MS)
}
