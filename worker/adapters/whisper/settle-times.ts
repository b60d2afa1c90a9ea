import type { SaidText } from './read-whisper.ts'

/** With a time that can be relied on. */
export type Settled<Said extends SaidText> = Said & { startMs: number; endMs: number }
type Started<Said extends SaidText> = Said & { startMs: number }

interface Span {
  startMs: number
  endMs: number
}

/** Slow speech; bounds the length of a word without an end. */
const MS_PER_CHAR = 120
/** Times are a little off at the end of a chunk; farther out they mean something else than seconds in this chunk. */
const PAST_END_SLACK_MS = 2_000

function clamp(value: number, span: Span): number {
  return Math.min(span.endMs, Math.max(span.startMs, value))
}

function weightOf(said: SaidText): number {
  return said.text.length + 1
}

function forgetImpossible<Said extends SaidText>(said: Said[], span: Span): Said[] {
  const isOutside = (ms: number | null) => ms !== null && (ms < span.startMs || ms > span.endMs + PAST_END_SLACK_MS)
  const outside = said.filter((each) => isOutside(each.startMs)).length
  if (outside * 2 <= said.length) return said
  return said.map((each) => ({ ...each, startMs: null, endMs: null }))
}

/** Gives those without a start an even share, by length of text, of the time between their neighbours. */
function fillStarts<Said extends SaidText>(said: Said[], span: Span): Started<Said>[] {
  const filled: Started<Said>[] = []
  for (let at = 0; at < said.length; ) {
    const known = said[at]
    if (known !== undefined && known.startMs !== null) {
      filled.push({ ...known, startMs: clamp(known.startMs, span) })
      at += 1
      continue
    }
    const nextKnown = said.findIndex((each, i) => i >= at && each.startMs !== null)
    const run = said.slice(at, nextKnown === -1 ? said.length : nextKnown)
    const before = filled.at(-1)
    const fromMs = before === undefined ? span.startMs : clamp(before.endMs ?? before.startMs, span)
    const toMs = Math.max(fromMs, clamp(said[nextKnown]?.startMs ?? span.endMs, span))
    filled.push(...spread(run, { startMs: fromMs, endMs: toMs }))
    at += run.length
  }
  return filled
}

function spread<Said extends SaidText>(said: Said[], span: Span): Settled<Said>[] {
  const total = said.reduce((sum, each) => sum + weightOf(each), 0)
  let weight = 0
  const timeMs = () => span.startMs + ((span.endMs - span.startMs) * weight) / total
  return said.map((each) => {
    const startMs = timeMs()
    weight += weightOf(each)
    return { ...each, startMs, endMs: timeMs() }
  })
}

/**
 * Makes times out of whatever a recogniser said about them. Missing ones are shared out between their neighbours,
 * those outside are drawn in, overlaps end where the next begins. When most lie outside, none is believed.
 * @returns whole milliseconds inside the span, starts ascending, without overlap
 */
export function settleTimes<Said extends SaidText>(said: Said[], span: Span): Settled<Said>[] {
  const starts = fillStarts(forgetImpossible(said, span), span)
  const ordered = starts.toSorted((a, b) => a.startMs - b.startMs)
  return ordered.map((each, i) => {
    const { startMs, endMs } = each
    const nextMs = ordered[i + 1]?.startMs ?? span.endMs
    const statedMs = endMs !== null && endMs >= startMs ? endMs : startMs + weightOf(each) * MS_PER_CHAR
    const untilMs = Math.max(startMs, Math.min(statedMs, nextMs, span.endMs))
    return { ...each, startMs: Math.round(startMs), endMs: Math.round(untilMs) }
  })
}
