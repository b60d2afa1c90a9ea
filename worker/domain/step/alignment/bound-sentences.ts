import type { Sentence } from '#worker/domain/step/extractive/sentences.ts'

/** One or several sentences as they are compared. */
export interface BoundSentence extends Pick<Sentence, 'startMs' | 'endMs' | 'text'> {
  /** The beginning of each of its sentences. */
  compared: string
}

/** About an hour of speech. More sentences are compared in pairs, threes and so on. */
const SENTENCES_MAX = 1_000
/** Nobody says longer ones; captions without punctuation have them. */
const COMPARED_MAX_CHARS = 200
/** Of a whole recording: with {@link SENTENCES_MAX}, what bounds time and memory of a comparison. */
const ALL_MAX_CHARS = 300_000

/** Joins neighbours until there are few enough to compare, and keeps of each as much as there is room for. */
export function boundSentences(sentences: readonly Pick<Sentence, 'startMs' | 'endMs' | 'text'>[]): BoundSentence[] {
  const size = Math.max(1, Math.ceil(sentences.length / SENTENCES_MAX))
  // The blanks between joined sentences count, too.
  const maxChars = Math.min(COMPARED_MAX_CHARS, Math.floor(ALL_MAX_CHARS / (sentences.length || 1)) - 1)
  return Array.from({ length: Math.ceil(sentences.length / size) }, (_, group) => {
    const joined = sentences.slice(group * size, (group + 1) * size)
    return {
      startMs: joined[0]?.startMs ?? 0,
      endMs: joined.at(-1)?.endMs ?? 0,
      text: joined.map(({ text }) => text).join(' '),
      compared: joined.map(({ text }) => text.slice(0, Math.max(0, maxChars))).join(' '),
    }
  })
}
