import { readFileSync } from 'node:fs'
import { readSentences } from '#worker/adapters/language/speak.ts'
import { AppError } from '#worker/core/errors.ts'
import { planAnswer } from '#worker/domain/tutor/plan-answer.ts'
import { answerPrompt } from '#worker/domain/tutor/prompts/answer-question.v4.ts'
import { judgePrompt } from '#worker/domain/tutor/prompts/judge-sentences.v1.ts'
import { publishModelAnswer } from '#worker/domain/tutor/publish-answer.ts'
import type { TutorModel, TutorTask } from '#worker/ports/language-model.ts'
import { gate, type Row, round } from '../scenario.ts'
import { hashPrompt, keepPrompt } from '../steps/answered-model.ts'
import { type Indexes, overlaps, type Question } from './questions.ts'

/** What a model answered to the product's own prompts, by their hash. */
interface Written {
  answeredBy: string
  /** Sentences with the lines of the recording that they rest on; none where the model finds no answer. */
  answers: Record<string, readonly (readonly [sentence: string, ...lines: number[]])[]>
  /** Numbers of the sentences that follow. */
  judgements: Record<string, readonly number[]>
}

const GATES = { right: { atLeast: 28 }, cited: { atLeast: 27 }, unanswered: { atMost: 0 } }

/** Asks the product's prompts of the answers that were written down; its parsing and checks are the real ones. */
async function answer(question: Question, indexes: Indexes, { written, missing }: Asking) {
  const index = { ...indexes(question.item), title: question.item.title }
  const { whole, by, shown } = planAnswer(index, question)
  if (shown === null) throw new Error(`Nothing is said in ${question.item.id}.`)
  const find = <T>(answers: Record<string, T>, { messages }: TutorTask): T => {
    const hash = hashPrompt(messages)
    const found = answers[hash]
    if (found !== undefined) return found
    missing.push(`${question.item.id} ${hash}`)
    keepPrompt(`${question.item.id}.${hash}`, messages)
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
  return publishModelAnswer(whole, shown, {
    model,
    question: question.question,
    by,
    task: { moduleId: question.item.id, messages: answerPrompt(index, shown, { ...question, earlier: [] }) },
    askJudge: (sentences) => ({ moduleId: question.item.id, messages: judgePrompt(sentences) }),
    leftMs: () => Number.MAX_SAFE_INTEGER,
    halt: new AbortController().signal,
    publish: () => undefined,
  })
}

interface Asking {
  written: Written
  missing: string[]
}

async function* toTokens(tokens: readonly string[]): AsyncGenerator<string> {
  yield* tokens
}

/** Measures the tutor with a model on questions of ours: what it answers rightly, refuses and cites. */
export async function measureWithModel(questions: readonly Question[], indexes: Indexes) {
  const written = JSON.parse(readFileSync(new URL('./model-answers.json', import.meta.url), 'utf8')) as Written
  const missing: string[] = []
  let [right, cited, refused] = [0, 0, 0]
  for (const question of questions) {
    const published = await answer(question, indexes, { written, missing })
    const { text, isCovered, sentences } = published.answer
    const isByModel = published.by === 'answers that were written down'
    const ids = new Set(sentences.flatMap(({ segmentIds }) => segmentIds))
    const isThere = indexes(question.item).segments.some(({ id, ...at }) => ids.has(id) && overlaps(at, question))
    if (question.span === null) refused += Number(isByModel && !isCovered)
    else {
      right += Number(isByModel && isCovered && (question.says ?? []).every((words) => text.includes(words)))
      cited += Number(isByModel && isThere)
    }
  }
  const answerable = questions.filter(({ span }) => span !== null).length
  const counts = { right, cited, refused, answerable, unanswerable: questions.length - answerable }
  const scores = Object.fromEntries(
    Object.entries({ ...counts, unanswered: missing.length }).map(([name, count]) => [
      `with_model_${name}_count`,
      round(count, 0),
    ]),
  )
  return { scores, rows: listRows(counts, missing, written.answeredBy) }
}

type Counts = Record<'right' | 'cited' | 'refused' | 'answerable' | 'unanswerable', number>

function listRows(counts: Counts, missing: readonly string[], answeredBy: string): (Row | string)[] {
  const { right, cited, refused, answerable, unanswerable } = counts
  return [
    `With a model, answered by ${answeredBy}:`,
    gate('with a model: answerable, right', right, GATES.right, `${right} of ${answerable}`),
    gate('with a model: cited where it is said', cited, GATES.cited, `${cited} of ${answerable}`),
    gate('with a model: unanswerable, refused', refused, { atLeast: unanswerable }, `${refused} of ${unanswerable}`),
    gate('with a model: prompts without an answer', missing.length, GATES.unanswered, missing.join(', ') || 'none'),
  ]
}
