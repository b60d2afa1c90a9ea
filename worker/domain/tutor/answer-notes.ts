import { estimateTokens } from '#worker/domain/prompt-data.ts'
import { checkQuotes } from './check-answer.ts'
import type { ShownSegment, TutorIndex, TutorNote } from './open-index.ts'
import { type QuotedSentence, quoteMoments } from './quote-moments.ts'
import { ANSWERABLE_FLOOR, judgeAnswerable, type Ranking, rankPassages } from './rank-passages.ts'

/** A note, and the chance that it answers a question. */
interface RankedNote {
  note: TutorNote
  ranking: Ranking
  chance: number
}

/** Ranks the notes of an index by the chance that they answer a question; each is a recording of its own. */
function rankNotes({ notes }: TutorIndex, question: string): RankedNote[] {
  return notes
    .map((note) => {
      const ranking = rankPassages(note.index, { question })
      return { note, ranking, chance: judgeAnswerable(ranking) }
    })
    .toSorted((left, right) => right.chance - left.chance)
}

/** Quotes the note that answers a question; null where none does. */
export function quoteNote(index: TutorIndex, question: string): QuotedSentence | null {
  const [best] = rankNotes(index, question)
  if (best === undefined || best.chance < ANSWERABLE_FLOOR) return null
  const { note, ranking } = best
  const quoted = checkQuotes(quoteMoments(note.index, ranking, 1).flat(), note.index)
  const text = quoted.flatMap((sentence) => (sentence.segmentIds.length > 0 ? sentence.text : [])).join(' ')
  const { startMs, note: cited } = note.segment
  return text === '' ? null : { text, segmentIds: [], startMs, notes: [{ ...cited, startMs }] }
}

/** Twenty notes that a model wrote in English; a prompt has room for these next to the transcript. */
const SHOWN_MAX_TOKENS = 1_500
/** Number, step and line break. */
const TOKENS_PER_NOTE = 16

/** Chooses the notes that a model is shown: all, or those that most likely answer the question, in the order of the steps. */
export function chooseNotes(index: TutorIndex, question: string): ShownSegment[] {
  const tokensOf = ({ segment }: TutorNote) => TOKENS_PER_NOTE + estimateTokens(segment.text)
  const total = index.notes.reduce((sum, note) => sum + tokensOf(note), 0)
  if (total <= SHOWN_MAX_TOKENS) return index.notes.map(({ segment }) => segment)
  const chosen = new Set<TutorNote>()
  let tokens = 0
  for (const { note } of rankNotes(index, question)) {
    tokens += tokensOf(note)
    if (tokens > SHOWN_MAX_TOKENS) break
    chosen.add(note)
  }
  return index.notes.filter((note) => chosen.has(note)).map(({ segment }) => segment)
}
