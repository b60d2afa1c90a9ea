import { readFileSync } from 'node:fs'
import type { EarlierTurn } from '#contract/tutor.ts'
import { readSentences } from '#worker/adapters/language/speak.ts'
import { AppError } from '#worker/core/errors.ts'
import { planAnswer } from '#worker/domain/tutor/plan-answer.ts'
import { answerPrompt } from '#worker/domain/tutor/prompts/answer-question.v4.ts'
import { judgePrompt } from '#worker/domain/tutor/prompts/judge-sentences.v1.ts'
import { publishModelAnswer } from '#worker/domain/tutor/publish-answer.ts'
import type { TutorModel, TutorTask } from '#worker/ports/language-model.ts'
import { gate, type Limit, type Row, round } from '../scenario.ts'
import { hashPrompt, keepPrompt } from '../steps/answered-model.ts'
import { type Indexes, overlaps, type Question } from './questions.ts'

/** A sentence with the lines of the recording that it rests on. */
type WrittenSentence = readonly [sentence: string, ...lines: number[]]

/** What a model answered to the product's own prompts, by their hash. */
interface Written {
  answeredBy: string
  /** None where the model finds no answer. */
  answers: Record<string, readonly WrittenSentence[]>
  /** Numbers of the sentences that follow. */
  judgements: Record<string, readonly number[]>
}

/** Questions that a model answered, and what has to come of it. */
export interface ModelSet {
  /** Begins the names of its scores. */
  name: string
  what: string
  file: URL
  questions: readonly Question[]
  /** The share of sentences dropped is limited where all that was written is true. */
  limits: Partial<Record<'right' | 'cited' | 'refused' | 'dropped', Limit>>
}

/** One question as the product asks it, with the question before it if it follows one. */
function ask(question: Question, before: Question | undefined, { indexes, written }: Asking) {
  const index = { ...indexes(question.item), title: question.item.title }
  const earlier = question.follows && before !== undefined ? [turnOf(before, { indexes, written })] : []
  const { whole, by, shown } = planAnswer(index, { ...question, earlier })
  if (shown === null) throw new Error(`Nothing is said in ${question.item.id}.`)
  return { index, whole, by, shown, messages: answerPrompt(index, shown, { ...question, earlier }) }
}

/** The question before, answered as it was written down: what the checks made of it would change the prompt with each rule. */
function turnOf(question: Question, asking: Asking): EarlierTurn {
  const { index, messages } = ask(question, undefined, asking)
  const said = asking.written.answers[hashPrompt(messages)] ?? []
  const starts = said.flatMap(([, ...lines]) => lines.map((line) => (index.segments[line]?.startMs ?? 0) / 1_000))
  return {
    question: question.question,
    answer: said.map(([sentence]) => sentence).join(' '),
    meta: { isCovered: said.length > 0, citations: starts.map((start) => ({ start })), step: null },
  }
}

type Asking = Pick<Answering, 'indexes' | 'written'>

interface Answering {
  indexes: Indexes
  written: Written
  missing: string[]
}

/** Asks the product's prompts of the answers that were written down; its parsing and checks are the real ones. */
async function answer(question: Question, before: Question | undefined, answering: Answering) {
  const { index, whole, by, shown, messages } = ask(question, before, answering)
  const { written, missing } = answering
  const find = <T>(answers: Record<string, T>, task: Pick<TutorTask, 'messages'>): T => {
    const hash = hashPrompt(task.messages)
    const found = answers[hash]
    if (found !== undefined) return found
    missing.push(`${question.item.id} ${hash}`)
    keepPrompt(`${question.item.id}.${hash}`, task.messages)
    throw new AppError('ai_failed', `Prompt ${hash} of ${question.item.id} has no answer.`)
  }
  const model: TutorModel = {
    name: 'answers that were written down',
    async *answer(task) {
      const said = find(written.answers, task).map(([sentence, ...lines]) => {
        // A model quotes a part of what it cites; the first line that it cites is such a part.
        const quote = index.segments[lines[0] ?? -1]?.text.replace(/[{}]/g, '') ?? ''
        const numbers = lines.map((line) => shown.findIndex(({ id }) => id === `s${line}`) + 1)
        return `${sentence} {${quote}} [${numbers.join(', ')}]\n`
      })
      yield* readSentences(toTokens(said.length === 0 ? ['NONE'] : said))
    },
    judge: async (task) => new Set(find(written.judgements, task)),
  }
  const published = await publishModelAnswer(whole, shown, {
    model,
    question: question.question,
    by,
    task: { moduleId: question.item.id, messages },
    askJudge: (sentences) => ({ moduleId: question.item.id, messages: judgePrompt(sentences) }),
    leftMs: () => Number.MAX_SAFE_INTEGER,
    halt: new AbortController().signal,
    publish: () => undefined,
  })
  const { isCovered, sentences, text } = published.answer
  const isByModel = published.by === model.name
  return {
    isCovered: isByModel && isCovered,
    isRefused: isByModel && !isCovered,
    text,
    ids: new Set(sentences.flatMap(({ segmentIds }) => segmentIds)),
    writtenCount: written.answers[hashPrompt(messages)]?.length ?? 0,
    shownCount: isByModel ? sentences.length : 0,
  }
}

async function* toTokens(tokens: readonly string[]): AsyncGenerator<string> {
  yield* tokens
}

/** Measures the tutor with a model on questions of ours: what it answers rightly, refuses, cites and drops. */
export async function measureWithModel({ name, what, file, questions, limits }: ModelSet, indexes: Indexes) {
  const written = JSON.parse(readFileSync(file, 'utf8')) as Written
  const missing: string[] = []
  const counts: Counts = { right: 0, cited: 0, refused: 0, answerable: 0, unanswerable: 0, written: 0, shown: 0 }
  for (const [order, question] of questions.entries()) {
    const answered = await answer(question, questions[order - 1], { indexes, written, missing })
    const { isCovered, isRefused, text, ids } = answered
    const { segments } = indexes(question.item)
    counts.written += answered.writtenCount
    counts.shown += answered.shownCount
    if (question.span === null) {
      counts.unanswerable += 1
      counts.refused += Number(isRefused)
      continue
    }
    const isRight = isCovered && (question.says ?? []).every((words) => words.split('|').some((w) => text.includes(w)))
    counts.answerable += 1
    counts.right += Number(isRight)
    counts.cited += Number(isCovered && segments.some(({ id, ...at }) => ids.has(id) && overlaps(at, question)))
  }
  const scores = Object.fromEntries(
    Object.entries({ ...counts, unanswered: missing.length }).map(([score, count]) => [
      `${name}_${score}_count`,
      round(count, 0),
    ]),
  )
  return { scores, rows: listRows({ what, limits }, { counts, missing, answeredBy: written.answeredBy }) }
}

type Counts = Record<'right' | 'cited' | 'refused' | 'answerable' | 'unanswerable' | 'written' | 'shown', number>

interface Found {
  counts: Counts
  missing: readonly string[]
  answeredBy: string
}

function listRows({ what, limits }: Pick<ModelSet, 'what' | 'limits'>, { counts, missing, answeredBy }: Found) {
  const { right, cited, refused, answerable, unanswerable, written, shown } = counts
  const dropped = (written - shown) / written
  const row = (score: keyof ModelSet['limits'], label: string, value: number, text: string): Row => {
    const limit = limits[score]
    const named = `${what}: ${label}`
    return limit === undefined ? { what: named, value: text } : gate(named, value, limit, text)
  }
  return [
    `${what}, answered by ${answeredBy}:`,
    row('right', 'answerable, right', right, `${right} of ${answerable}`),
    row('cited', 'cited where it is said', cited, `${cited} of ${answerable}`),
    row('refused', 'unanswerable, refused', refused, `${refused} of ${unanswerable}`),
    row('dropped', 'sentences dropped', dropped, `${written - shown} of ${written}`),
    gate(`${what}: prompts without an answer`, missing.length, { atMost: 0 }, missing.join(', ') || 'none'),
  ]
}
