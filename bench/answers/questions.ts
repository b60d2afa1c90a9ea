import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findWords, isTerm } from '#worker/domain/tutor/words.ts'
import { CHAPTERS_DIR, type GoldItem } from '../steps/chapters.ts'

/** One question about one recording; seconds. */
export interface Question {
  item: GoldItem
  question: string
  /** Where the answer is said; null where the recording has none. */
  span: { start: number; end: number } | null
  /** The answer in short, where somebody wrote it down. */
  answer: string | null
}

/** The sets of questions, by where they come from. */
export const SET_NAMES = ['qa', 'own', 'unseen', 'chapters'] as const
export type SetName = (typeof SET_NAMES)[number]
export type QuestionSets = Readonly<Record<SetName, readonly Question[]>>

interface Written {
  item: string
  question: string
  span: Question['span']
  answer?: string | null
}

/** Titles of one word ask for nothing. */
const MIN_TITLE_TERMS = 2
/** A title is asked of the recording this many further in its group, which does not have that chapter. */
const OTHER_RECORDING = 7

/**
 * `qa`: questions that people wrote for the benchmark; `own`: ours, about other recordings of it; `unseen`: ours too,
 * about recordings that nothing was fitted to and whose misses nobody looked at; `chapters`: chapter titles, asked of
 * their own recording and of another one of the same group.
 */
export function loadQuestions(gold: readonly GoldItem[]): QuestionSets {
  return {
    qa: readWritten(resolve(CHAPTERS_DIR, 'qa/dev.json'), gold),
    own: readWritten(new URL('./own-questions.json', import.meta.url), gold),
    unseen: readWritten(new URL('./unseen-questions.json', import.meta.url), gold),
    chapters: askTitles(gold),
  }
}

function readWritten(file: string | URL, gold: readonly GoldItem[]): Question[] {
  const written = JSON.parse(readFileSync(file, 'utf8')) as Written[]
  return written.flatMap(({ item: id, question, span, answer = null }) => {
    const item = gold.find((each) => each.id === id)
    return item === undefined ? [] : [{ item, question, span, answer }]
  })
}

function askTitles(gold: readonly GoldItem[]): Question[] {
  const groups = Object.values(Object.groupBy(gold, (item) => item.group)) as GoldItem[][]
  return groups.flatMap((group) =>
    group.flatMap((item, index) => {
      const other = group[(index + OTHER_RECORDING) % group.length] as GoldItem
      return item.chapters.flatMap(({ start, title }, at) => {
        if (findWords(title).filter(({ word }) => isTerm(word)).length < MIN_TITLE_TERMS) return []
        const span = { start, end: item.chapters[at + 1]?.start ?? item.durationS }
        return [
          { item, question: title, span, answer: null },
          { item: other, question: title, span: null, answer: null },
        ]
      })
    }),
  )
}
