import { SEGMENT_MAX_CHARS } from '#contract/limits.ts'
import { trimEndOf } from '#worker/domain/trim-end.ts'
import { hasHappening, hasSound, hasThing, namesPart, saysMore } from './sound-words.ts'

/** Sounds in scripts that write words without blanks between them. */
const WIDE_SOUND =
  /音楽|音乐|音樂|掌声|掌聲|笑|拍手|咳|叹气|噪音|騒音|歓声|鼓掌|水流|水声|水声|음악|웃음|박수|BGM|[声音聲]$|音$|เพลง|ดนตรี|เสียง|ปรบมือ|หัวเราะ/u
/** Names of functions: mute, record, voice, pronunciation. */
const WIDE_FUNCTION = /[静靜消录錄録语語拼发發発配][音声聲]/u
/** More words are a text. */
const WORDS_MAX = 6

/** A text in brackets, stars or between notes at an end of a line. */
const BRACKETED = String.raw`\[[^[\]]{1,80}\]|\([^()]{1,80}\)|（[^（）]{1,80}）|【[^【】]{1,80}】|［[^［］]{1,80}］|\{[^{}]{1,80}\}|\*[^*]{1,60}\*`
/** Begins at the first of several notes, and has something between two of them, so that a run of notes is read once. */
const NOTES = String.raw`(?<![♪♫♬♩🎵🎶])[♪♫♬♩🎵🎶]+[^♪♫♬♩🎵🎶]{1,400}[♪♫♬♩🎵🎶]+`
const AT_BEGIN = new RegExp(String.raw`^(?:${BRACKETED}|${NOTES})\s*`, 'u')
const AT_END = new RegExp(String.raw`\s?(?:${BRACKETED}|${NOTES})$`, 'u')
const WHOLE = new RegExp(String.raw`^[-–—>]{0,3}\s?(?:${BRACKETED})[.\s]{0,3}$`, 'u')
const NOTE_SIGN = /[♪♫♬♩🎵🎶]/u
/** Words of a song go on in the next cue, so that a note at their end may be missing. */
const SUNG = /^[♪♫♬♩🎵🎶]/u
const LAST_NOTES = /\s?[♪♫♬♩🎵🎶]{1,9}$/u
/** What recognisers and captions of machines say in the place of a sound, without brackets. */
const BARE = /^(?:music(?: playing)?|background music|applause|laughter)\.?$/i
const HAS_MARK = /[[({（【［*♪♫♬♩🎵🎶]/u
/** No line of a transcript is longer. */
const CHARS_MAX = SEGMENT_MAX_CHARS

/** Whether what stands in brackets is heard and not said. @param isWhole whether the line says nothing else */
function isSound(marked: string, isWhole: boolean): boolean {
  if (NOTE_SIGN.test(marked)) return true
  const inner = trimEndOf(marked.replace(/^[-–—>\s]*[[({（【［*]\s*/u, ''), /[\s.!…\])}）】］*]/u)
  if (inner.split(/\s+/).length > WORDS_MAX || saysMore(inner)) return false
  if (namesPart(inner) || WIDE_FUNCTION.test(inner)) return false
  if (hasSound(inner) || WIDE_SOUND.test(inner)) return true
  return (isWhole || /^\p{Ll}/u.test(inner)) && hasThing(inner) && hasHappening(inner)
}

const SMALL = /^\s?[[({*（【［]\s?\p{Ll}/u
const ROUND = /^\s?[(（]/u
/**
 * A name of a button may be that of a sound, so a mark stands between sentences, or is written small; in scripts without
 * capitals, where many end a sentence without a point, buttons stand in square brackets.
 */
function isApart(found: string, before: string, after: string): boolean {
  if (NOTE_SIGN.test(found) || SMALL.test(found)) return true
  if (before === '') return !/^\s*\p{Ll}/u.test(after)
  return /\p{P}\s*$/u.test(before) || (ROUND.test(found) && /\p{Lo}\s*$/u.test(before))
}

/**
 * Leaves out what is heard and not said at the ends of a line: `[music]`, `(water runs)`, `♪ … ♪`. What stands in brackets
 * inside of a sentence, a key such as `[Enter]` and a reference such as `(see page 3)` are text.
 */
export function removeSoundMarks(text: string): string {
  if (BARE.test(text)) return ''
  if (text.length > CHARS_MAX || !HAS_MARK.test(text)) return text
  if (WHOLE.test(text) && isSound(text, true)) return ''
  let spoken = text
  for (let found = AT_BEGIN.exec(spoken)?.[0]; found !== undefined; found = AT_BEGIN.exec(spoken)?.[0]) {
    const after = spoken.slice(found.length)
    if (!isSound(found, false) || !isApart(found, '', after)) break
    spoken = after
  }
  if (SUNG.test(spoken)) return ''
  for (let found = AT_END.exec(spoken); found !== null; found = AT_END.exec(spoken)) {
    const before = spoken.slice(0, found.index)
    if (!isSound(found[0], false) || !isApart(found[0], before, '')) break
    spoken = before
  }
  return spoken.replace(LAST_NOTES, '').trim()
}

/** Whether a line of captions says nothing, and names what is heard. */
export function isSoundMark(text: string): boolean {
  return removeSoundMarks(text) === ''
}

/** What is said in lines: without marks of sounds, and without lines that have nothing else. */
export function keepSpoken<T extends { text: string }>(lines: readonly T[]): T[] {
  return lines.flatMap((line) => {
    const text = removeSoundMarks(line.text)
    if (text === line.text) return [line]
    return text === '' ? [] : [{ ...line, text }]
  })
}
