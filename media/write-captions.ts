/** Something that is said. Seconds. */
export interface Cue {
  start: number
  end: number
  text: string
  /** Who says it, where that is known. */
  speaker?: string | undefined
}

/**
 * Two lines of 42 characters, as broadcasters and streaming services allow: more hides the image. Of Chinese and Japanese,
 * whose characters are twice as wide and stand for more, two lines of 16 (Netflix Timed Text Style Guides).
 */
const CUE_MAX_CHARS = { spaced: 84, wide: 32 }
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/**
 * A WebVTT file. Long cues are cut at words, their time shared out by length; cues without words or without a length
 * are left out, for no player shows them.
 */
export function writeVtt(cues: readonly Cue[]): string {
  return joinVtt(listShown(cues))
}

function joinVtt(cues: readonly ShownCue[]): string {
  const blocks = cues.map(({ startMs, endMs, text, speaker }) => {
    const voice = speaker === undefined ? '' : `<v ${escapeText(speaker)}>`
    return `${writeTime(startMs, '.')} --> ${writeTime(endMs, '.')}\n${voice}${escapeText(text)}\n`
  })
  return ['WEBVTT\n', ...blocks].join('\n')
}

/**
 * A WebVTT file of chapters (`kind=chapters`), in the order of time. Each lasts until its end, or until the next one
 * begins; one without a length lasts until then. Of those that begin together the last stays.
 * @param chapters seconds
 */
export function writeChapters(chapters: readonly Cue[]): string {
  const sorted = chapters.toSorted((a, b) => a.start - b.start)
  const cues = sorted.map(({ start, end, text }, index) => {
    const line = text.split(/\s+/).filter(Boolean).join(' ')
    const nextS = sorted[index + 1]?.start ?? Math.max(start, end)
    return { startMs: toMs(start), endMs: toMs(end > start ? Math.min(end, nextS) : nextS), text: line }
  })
  return joinVtt(cues.filter(({ startMs, endMs, text }) => endMs > startMs && text !== ''))
}

/** Writes what is said without times, to be read. */
export function writePlainText(lines: readonly Pick<Cue, 'text' | 'speaker'>[]): string {
  return lines.map((line) => `${nameSpeaker(line)}\n`).join('')
}

/** What is said, behind the name of who says it. */
export function nameSpeaker({ text, speaker }: Pick<Cue, 'text' | 'speaker'>): string {
  return speaker === undefined ? text.trim() : `${speaker}: ${text.trim()}`
}

/**
 * The same as SubRip, which knows no escaping; a bare `-->` would be taken for times. Names stand behind `>>`, as captions
 * mark who speaks where their format cannot: without it a name that stands there once could be text.
 */
export function writeSrt(cues: readonly Cue[]): string {
  return listShown(cues)
    .map(({ startMs, endMs, text, speaker }, index) => {
      const said = speaker === undefined ? text : `>> ${nameSpeaker({ text, speaker })}`
      const times = `${writeTime(startMs, ',')} --> ${writeTime(endMs, ',')}`
      return `${index + 1}\n${times}\n${said.replaceAll('-->', '→')}\n`
    })
    .join('\n')
}

interface ShownCue {
  startMs: number
  endMs: number
  text: string
  speaker?: string | undefined
}

function listShown(cues: readonly Cue[]): ShownCue[] {
  return cues
    .flatMap(splitCue)
    .filter(({ startMs, endMs }) => endMs > startMs)
    .toSorted((a, b) => a.startMs - b.startMs)
}

function splitCue({ start, end, text, speaker }: Cue): ShownCue[] {
  const isWide = WIDE.test(text)
  const whole = text.split(/\s+/).filter(Boolean).join(' ')
  if (whole === '') return []
  const pieceCount = Math.ceil(whole.length / (isWide ? CUE_MAX_CHARS.wide : CUE_MAX_CHARS.spaced))
  const pieceChars = whole.length / pieceCount
  const lines: string[] = []
  for (const word of isWide ? splitUnspaced(whole) : whole.split(/(?<= )/)) {
    const line = lines.at(-1)
    if (line === undefined || line.trimEnd().length + word.trimEnd().length / 2 > pieceChars) lines.push(word)
    else lines[lines.length - 1] = line + word
  }
  for (const [index, line] of lines.entries()) lines[index] = line.trim()
  const charCount = lines.reduce((sum, line) => sum + line.length, 0)
  let before = 0
  return lines.map((line) => {
    const from = start + ((end - start) * before) / charCount
    before += line.length
    const to = start + ((end - start) * before) / charCount
    return { startMs: toMs(from), endMs: toMs(to), text: line, speaker }
  })
}

/** Words of a text that has no blanks between them, each with the punctuation behind it. */
function splitUnspaced(text: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) {
    if (isWordLike || words.length === 0) words.push(segment)
    else words[words.length - 1] += segment
  }
  return words
}

function toMs(seconds: number): number {
  return Math.max(0, Math.round(seconds * 1000))
}

function writeTime(ms: number, point: '.' | ','): string {
  const fields = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60]
  return `${fields.map((field) => String(field).padStart(2, '0')).join(':')}${point}${String(ms % 1000).padStart(3, '0')}`
}

/** `&` and `<` begin markup in a cue, and `-->` would end it. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
