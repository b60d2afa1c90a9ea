import { joinWords } from '#worker/ports/speech-to-text.ts'
import type { RepairLog } from './caption-formats/repair-log.ts'
import type { StampedLine } from './clean-cue-text.ts'
import type { Cue, CueLines } from './cue.ts'
import { dropShownAgain } from './cue-flow.ts'
import { endsSentence } from './form-segments.ts'
import { removeSoundMarks } from './sound-marks.ts'
import { type Said, SpeakerNames, splitVoices } from './speaker-names.ts'

/** What a recogniser writes where it has heard nothing; whole cue only. */
const NOTHING = /^[[(*\s]*(?:silence|noise|no (?:speech|audio|sound)|blank[_ ]audio)[\])*\s.]*$/i

/** A longer text is no placeholder; the limit also bounds the cost of the check. */
const PLACEHOLDER_MAX_CHARS = 400
/** A form left unfilled, such as "contributed by ------(name of the translator)". */
const UNFILLED = /(?:-{5,}|_{4,})\s*[([]|(?:-{5,}|_{4,})[^-_]+(?:-{5,}|_{4,})/

/** Whether a cue says nothing: empty, only signs such as "-" or "♪", "[BLANK_AUDIO]", an unfilled form. */
function isPlaceholder(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return true
  return text.length < PLACEHOLDER_MAX_CHARS && (NOTHING.test(text) || UNFILLED.test(text))
}

/** What is shown from one moment on. */
interface Group {
  startMs: number
  endMs: number
  said: GroupPart[]
}

/** What one speaker says in it, by cue. */
interface GroupPart extends Omit<Said, 'text'> {
  texts: string[]
}

function joinSameStart(cues: readonly Cue[]): Group[] {
  const groups: Group[] = []
  for (const { startMs, endMs, text } of cues) {
    const said = splitVoices(text).filter((each) => !isPlaceholder(each.text))
    if (said.length === 0) continue
    const last = groups.at(-1)
    if (last?.startMs !== startMs) {
      const group: Group = { startMs, endMs, said: [] }
      for (const each of said) addSaid(group.said, each)
      groups.push(group)
      continue
    }
    last.endMs = Math.max(last.endMs, endMs)
    for (const each of said) addSaid(last.said, each)
  }
  return groups
}

function addSaid(all: GroupPart[], { text, ...by }: Said): void {
  const last = all.at(-1)
  const isSame = last?.speaker === by.speaker && (by.speaker !== undefined || !by.isTurn)
  if (last === undefined || !isSame) all.push({ ...by, texts: [text] })
  else if (last.texts.at(-1) !== text) last.texts.push(text)
}

/** Gives each speaker of a group a part of its time, by the length of what is said. */
function shareGroup({ startMs, endMs, said }: Group): Cue[] {
  const lengthMs = endMs - startMs
  const parts = said.map(({ texts, ...by }) => ({ ...by, text: texts.join(' ') }))
  const chars = parts.reduce((sum, { text }) => sum + text.length, 0)
  // Too short to be shared: nobody could read it.
  if (said.length > lengthMs) return [{ startMs, endMs, text: parts.map(({ text }) => text).join(' ') }]
  let before = 0
  return parts.map(({ text, speaker, isTurn }, at) => {
    const timeMs = (of: number) => startMs + of + Math.round(((lengthMs - said.length) * before) / chars)
    const fromMs = timeMs(at)
    before += text.length
    return {
      startMs: fromMs,
      endMs: at === said.length - 1 ? endMs : timeMs(at + 1),
      text,
      ...(speaker !== undefined && { speaker }),
      ...(isTurn && { isTurn }),
    }
  })
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

/** Finds the names of speakers in a file, and marks where they speak. */
function markSpeakers(cues: readonly CueLines[]): CueLines[] {
  const lines = cues.map((cue) => cue.lines)
  const names = new SpeakerNames(lines, lines.flat().some(isBracketedSound))
  return cues.map((cue) => {
    const marked = names.markLines(cue.lines)
    if (cue.stamps === undefined) return { ...cue, lines: marked }
    const stamps = new Map<string, StampedLine['stamps']>()
    for (const [at, line] of cue.lines.entries()) {
      const by = (marked[at]?.length ?? 0) - line.length
      const moved = cue.stamps.get(line)?.map((stamp) => ({ ...stamp, at: Math.max(0, stamp.at + by) }))
      if (moved !== undefined) stamps.set(marked[at] ?? '', moved)
    }
    return { ...cue, lines: marked, stamps }
  })
}

/** Marks of sounds are short. */
const SOUND_MAX_CHARS = 100
const isBracketedSound = (line: string) => line.length < SOUND_MAX_CHARS && removeSoundMarks(line) !== line

/**
 * Makes captions of cues that are in the order of time: those with one start joined, each ended where the next one
 * begins, text that is shown again kept once, cues that say nothing dropped. What speakers say is kept apart.
 */
export function tidyCues(cues: readonly CueLines[], log: RepairLog): Cue[] {
  const filled = cues
    .map((cue) => ({ ...cue, lines: cue.lines.filter((line) => line !== '') }))
    .filter((cue) => cue.lines.length > 0)
  const textCues = markSpeakers(dropShownAgain(filled, log)).flatMap((cue) =>
    cue.stamps === undefined
      ? [{ startMs: cue.startMs, endMs: cue.endMs, text: cue.lines.join(' ') }]
      : splitAtStamps(cue),
  )
  const groups = joinSameStart(textCues.toSorted((a, b) => a.startMs - b.startMs))
  return groups.flatMap((group, i) => {
    const nextMs = groups[i + 1]?.startMs ?? Number.POSITIVE_INFINITY
    return shareGroup({ ...group, endMs: Math.min(group.endMs, nextMs) })
  })
}
