import { joinWords } from '#worker/ports/speech-to-text.ts'
import type { RepairLog } from './caption-formats/repair-log.ts'
import type { Cue, CueLines } from './cue.ts'
import { dropShownAgain } from './cue-flow.ts'
import { endsSentence } from './form-segments.ts'

/** What captions say instead of speech; whole cue only. */
const NOISE =
  /^[[(*♪♫\s]*(?:music(?: playing)?|background music|applause|laughter|silence|noise|inaudible|no (?:speech|audio|sound)|blank[_ ]audio)[\])*♪♫\s.]*$/i

/** A longer text is no placeholder; the limit also bounds the cost of the check. */
const PLACEHOLDER_MAX_CHARS = 400
/** A form left unfilled, such as "contributed by ------(name of the translator)". */
const UNFILLED = /(?:-{5,}|_{4,})\s*[([]|(?:-{5,}|_{4,})[^-_]+(?:-{5,}|_{4,})/

/** Whether a cue says nothing: empty, only signs such as "-" or "♪", a noise such as "[Music]", an unfilled form. */
function isPlaceholder(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true
  return text.length < PLACEHOLDER_MAX_CHARS && (NOISE.test(text) || UNFILLED.test(text))
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

/** Makes one cue of each sentence whose first word has a time. */
function splitAtStamps({ startMs, endMs, lines, stamps }: CueLines): Cue[] {
  const cues: Cue[] = [{ startMs, endMs, text: '' }]
  for (const line of lines) {
    let from = 0
    const add = (to: number) => {
      const cue = cues.at(-1)
      if (cue !== undefined) cue.text = joinWords([cue.text, line.slice(from, to).trim()])
      from = to
    }
    for (const { at, ms } of stamps?.get(line) ?? []) {
      const cue = cues.at(-1)
      if (cue === undefined || ms <= cue.startMs || ms >= endMs) continue
      if (!endsSentence(joinWords([cue.text, line.slice(from, at).trim()]))) continue
      add(at)
      cue.endMs = ms
      cues.push({ startMs: ms, endMs, text: '' })
    }
    add(line.length)
  }
  return cues
}

/**
 * Makes captions of cues that are in the order of time: those with one start joined, each ended where the next one
 * begins, text that is shown again kept once, cues that say nothing dropped.
 */
export function tidyCues(cues: readonly CueLines[], log: RepairLog): Cue[] {
  const spoken = cues
    .map((cue) => ({ ...cue, lines: cue.lines.filter((line) => line !== '') }))
    .filter((cue) => cue.lines.length > 0)
  const textCues = dropShownAgain(spoken, log)
    .flatMap((cue) =>
      cue.stamps === undefined
        ? [{ startMs: cue.startMs, endMs: cue.endMs, text: cue.lines.join(' ') }]
        : splitAtStamps(cue),
    )
    .filter((cue) => !isPlaceholder(cue.text))
  const ordered = joinSameStart(textCues.toSorted((a, b) => a.startMs - b.startMs))
  return ordered.map((cue, i) => {
    const nextMs = ordered[i + 1]?.startMs ?? Number.POSITIVE_INFINITY
    return { ...cue, endMs: Math.min(cue.endMs, nextMs) }
  })
}
