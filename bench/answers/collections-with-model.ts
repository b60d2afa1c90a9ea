import { readFileSync } from 'node:fs'
import { readSentences } from '#worker/adapters/language/speak.ts'
import { AppError } from '#worker/core/errors.ts'
import { publishJoined } from '#worker/domain/found/publish-joined.ts'
import { type JoinedTrainings, joinTrainings } from '#worker/domain/tutor/join-trainings.ts'
import type { TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { answerPrompt } from '#worker/domain/tutor/prompts/answer-question.v4.ts'
import type { TutorModel, TutorTask } from '#worker/ports/language-model.ts'
import { gate, type Row } from '../scenario.ts'
import { hashPrompt, keepPrompt } from '../steps/answered-model.ts'
import type { GoldItem } from '../steps/predict-steps.ts'
import { overlaps, type Question } from './questions.ts'

/** What a model answered to the product's own prompts, by their hash. */
interface Written {
  answeredBy: string
  /** Sentences with the numbers of what they rest on; none where the model finds no answer. */
  answers: Record<string, readonly (readonly [sentence: string, ...numbers: number[]])[]>
  /** Numbers of the sentences that follow. */
  judgements: Record<string, readonly number[]>
}

/** Trainings that the index has picked for a question. */
export interface PickedQuestion {
  question: Question
  picked: readonly { item: GoldItem; index: TutorIndex }[]
}

const MODEL = 'answers that were written down'
/** Each second question with an answer, and each third that no training covers. */
const EVERY = { answerable: 2, others: 3 }
const RIGHT_MIN = 0.9

/** Opens the model whose answers were written down; what it quotes is the first line that it cites. */
function openModel({ shown }: JoinedTrainings, { written, missing, name }: Asking & { name: string }): TutorModel {
  const find = <T>(answers: Record<string, T>, { messages }: TutorTask): T => {
    const hash = hashPrompt(messages)
    const found = answers[hash]
    if (found !== undefined) return found
    missing.push(`${name} ${hash}`)
    keepPrompt(`collection.${name}.${hash}`, messages)
    throw new AppError('ai_failed', `Prompt ${hash} of ${name} has no answer.`)
  }
  return {
    name: MODEL,
    async *answer(task) {
      const said = find(written.answers, task).map(([sentence, ...numbers]) => {
        const quote = shown[(numbers[0] ?? 0) - 1]?.text.replace(/[{}]/g, '') ?? ''
        return `${sentence} {${quote}} [${numbers.join(', ')}]\n`
      })
      yield* readSentences(toTokens(said.length === 0 ? ['NONE'] : said))
    },
    judge: async (task) => new Set(find(written.judgements, task)),
  }
}

interface Asking {
  written: Written
  missing: string[]
}

async function* toTokens(tokens: readonly string[]): AsyncGenerator<string> {
  yield* tokens
}

async function ask({ question, picked }: PickedQuestion, asking: Asking) {
  const trainings = picked.map(({ item, index }) => ({ title: item.title, spoken: index, searched: index }))
  const joined = joinTrainings('Collection', trainings, question.question)
  const moduleId = question.item.id
  const messages = answerPrompt(joined.video, joined.shown, { question: question.question, earlier: [] })
  const model = openModel(joined, { ...asking, name: moduleId })
  const { answer, by } = await publishJoined(joined, {
    question: question.question,
    model,
    task: { moduleId, messages },
    nowMs: () => performance.now(),
  })
  const isThere = answer.sentences.some(({ segmentIds }) =>
    segmentIds.some((id) => {
      const part = picked[joined.find(id)?.part ?? -1]
      const segment = part?.index.segments.find((each) => id.endsWith(`:${each.id}`))
      return part?.item === question.item && segment !== undefined && overlaps(segment, question)
    }),
  )
  const isByModel = by === MODEL
  return { isRight: isByModel && isThere, isRefused: isByModel && !answer.isCovered, isDropped: answer.hasGap === true }
}

/** Measures answers of a model about collections of twelve recordings. */
export async function measureCollectionAnswers(questions: readonly PickedQuestion[]): Promise<(Row | string)[]> {
  const file = new URL('./collection-answers.json', import.meta.url)
  const written = JSON.parse(readFileSync(file, 'utf8')) as Written
  const missing: string[] = []
  const isAnswerable = ({ question: { span } }: PickedQuestion) => span !== null
  const answerable = questions.filter(isAnswerable).filter((_, at) => at % EVERY.answerable === 0)
  const others = questions.filter((each) => !isAnswerable(each)).filter((_, at) => at % EVERY.others === 0)
  const askAll = (asked: readonly PickedQuestion[]) => Promise.all(asked.map((each) => ask(each, { written, missing })))
  const [answered, refused] = [await askAll(answerable), await askAll(others)]
  const right = answered.filter(({ isRight }) => isRight).length
  const refusedCount = refused.filter(({ isRefused }) => isRefused).length
  const cut = answered.filter(({ isDropped }) => isDropped).length
  return [
    `With a model, answered by ${written.answeredBy}; sentences were left out of ${cut} answers:`,
    gate(
      'with a model: right training and moment',
      right / answerable.length,
      { atLeast: RIGHT_MIN },
      (share) => `${share.toFixed(3)}, ${right} of ${answerable.length}`,
    ),
    gate(
      'with a model: refused of what none covers',
      refusedCount,
      { atLeast: others.length },
      `${refusedCount} of ${others.length}`,
    ),
    gate(
      'with a model: prompts without an answer, so unchecked',
      missing.length,
      { atMost: 0 },
      missing.join(', ') || 'none',
    ),
  ]
}
