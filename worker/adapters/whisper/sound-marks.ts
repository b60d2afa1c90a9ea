import type { SaidText } from './read-whisper.ts'

/** "[BLANK_AUDIO]", "(upbeat music)", "*sighs*", "♪ … ♪": a name for what is not speech, or words that are sung. */
const MARK = String.raw`\[[^\]]*\]|\([^)]*\)|（[^）]*）|【[^】]*】|[♪♫🎵🎶][^♪♫🎵🎶]*[♪♫🎵🎶]|[♪♫🎵🎶]|\*[^*]*\*`
const ONLY_MARKS = new RegExp(`^(?:\\s*(?:${MARK})[\\s.,!?-]*)+$`, 'u')
/** What opens a mark, and what ends it. */
const ENDS: Record<string, RegExp> = {
  '[': /\]\W*$/u,
  '【': /】\W*$/u,
  '(': /\)\W*$/u,
  '（': /）\W*$/u,
  '♪': /[♪♫]$/u,
  '♫': /[♪♫]$/u,
  '🎵': /[🎵🎶]$/u,
  '🎶': /[🎵🎶]$/u,
}
/** A verse; the name of a sound is shorter. */
const MARK_MAX_WORDS = 30
/** Within what is said, round brackets may hold speech: only these words make them the name of a sound. */
const SOUNDS =
  /music|applau|laugh|chuckl|silence|noise|inaudible|unintelligible|blank|audio|speaking|foreign|beep|typing|clicking|breath|sigh|cough|ding|chime|musik|musique|música|musica|音楽|音乐|음악|музыка|拍手/iu

/** Whether a text is only the names of sounds, or only sung. */
export function isOnlyMarks(text: string): boolean {
  return ONLY_MARKS.test(text)
}

/** Whether a segment is sung; a song that goes on has its closing mark in a later one. */
export function isSung(text: string): boolean {
  return /^[♪♫🎵🎶]/u.test(text)
}

function findEnd<Word extends SaidText>(words: Word[], from: number): number | null {
  const [open = ''] = words[from]?.text ?? ''
  const end = ENDS[open]
  if (end === undefined) return null
  const isAlone = (words[from]?.text ?? '').length === open.length
  const until = Math.min(words.length, from + MARK_MAX_WORDS)
  for (let at = isAlone ? from + 1 : from; at < until; at++) if (end.test(words[at]?.text ?? '')) return at
  return null
}

/** Drops the names of sounds from between words that were said; they may be one word or several. */
export function dropMarks<Word extends SaidText>(words: Word[]): Word[] {
  const kept: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const end = findEnd(words, at)
    const mark =
      end === null
        ? ''
        : words
            .slice(at, end + 1)
            .map((word) => word.text)
            .join(' ')
    const word = words[at]
    if (end !== null && (!/^[(（]/u.test(mark) || SOUNDS.test(mark))) at = end
    else if (word !== undefined && !/^\*\p{L}+\*\W*$/u.test(word.text)) kept.push(word)
  }
  return kept
}
