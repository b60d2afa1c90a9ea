import { isPlaceholder } from './clean-cue-text.ts'

/** One caption: what is shown between two moments. Milliseconds from the beginning of the video. */
export interface Cue {
  startMs: number
  endMs: number
  text: string
}

/** A cue as it stands in a file, its lines already cleaned. */
export interface CueLines {
  startMs: number
  endMs: number
  lines: string[]
}

/** How long a cue without length is shown when nothing follows it. */
const DEFAULT_LENGTH_MS = 2_000
/** Above this share of cues that repeat the line before, a file rolls up, as automatic captions do. */
const ROLLING_SHARE = 1 / 3

function repeatsLineBefore(cue: CueLines, before: CueLines | undefined): boolean {
  return before !== undefined && cue.lines.length > 0 && cue.lines[0] === before.lines.at(-1)
}

function dropRolledLines(cues: CueLines[]): CueLines[] {
  const repeats = cues.filter((cue, i) => repeatsLineBefore(cue, cues[i - 1])).length
  if (repeats < 2 || repeats <= cues.length * ROLLING_SHARE) return cues
  return cues.map((cue, i) => (repeatsLineBefore(cue, cues[i - 1]) ? { ...cue, lines: cue.lines.slice(1) } : cue))
}

function joinSameStart(cues: Cue[]): Cue[] {
  const joined: { startMs: number; endMs: number; texts: string[] }[] = []
  for (const cue of cues) {
    const last = joined.at(-1)
    if (last === undefined || last.startMs !== cue.startMs) {
      joined.push({ startMs: cue.startMs, endMs: cue.endMs, texts: [cue.text] })
      continue
    }
    if (last.texts.at(-1) !== cue.text) last.texts.push(cue.text)
    last.endMs = Math.max(last.endMs, cue.endMs)
  }
  return joined.map(({ startMs, endMs, texts }) => ({ startMs, endMs, text: texts.join(' ') }))
}

/**
 * Puts cues in order without overlap: sorted by start, those with one start joined, each ended where the next one
 * begins, lines of rolling captions kept once, cues that say nothing dropped.
 */
export function tidyCues(cues: CueLines[]): Cue[] {
  const spoken = cues
    .map((cue) => ({ ...cue, lines: cue.lines.filter((line) => line !== '') }))
    .filter((cue) => cue.lines.length > 0)
    .sort((a, b) => a.startMs - b.startMs)
  const said = dropRolledLines(spoken)
    .map(({ startMs, endMs, lines }) => ({ startMs, endMs, text: lines.join(' ') }))
    .filter((cue) => !isPlaceholder(cue.text))
  const ordered = joinSameStart(said)
  return ordered.map((cue, i) => {
    const nextMs = ordered[i + 1]?.startMs ?? Number.POSITIVE_INFINITY
    const endMs = cue.endMs > cue.startMs ? cue.endMs : cue.startMs + DEFAULT_LENGTH_MS
    return { ...cue, endMs: Math.min(endMs, nextMs) }
  })
}
