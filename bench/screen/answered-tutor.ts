import { readFileSync } from 'node:fs'
import { readJudgements, readSentences } from '#worker/adapters/language/speak.ts'
import { AppError } from '#worker/core/errors.ts'
import type { TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { planAnswer, presentMeta } from '#worker/domain/tutor/plan-answer.ts'
import { answerPrompt } from '#worker/domain/tutor/prompts/answer-question.v4.ts'
import { judgePrompt } from '#worker/domain/tutor/prompts/judge-sentences.v1.ts'
import { publishModelAnswer } from '#worker/domain/tutor/publish-answer.ts'
import type { TutorModel, TutorTask } from '#worker/ports/language-model.ts'
import { hashPrompt, keepPrompt } from '../steps/answered-model.ts'

/** What a model wrote to the product's own prompts, by their hash: answers and judgements as they came. */
interface Written {
  answeredBy: string
  replies: Record<string, string>
}

/** Opens a tutor whose model's replies were written down: prompts, parsing and checks around them are the real ones. */
export function openAnsweredTutor(file: URL) {
  const { answeredBy, replies } = JSON.parse(readFileSync(file, 'utf8')) as Written
  const missing: string[] = []
  const find = ({ messages }: Pick<TutorTask, 'messages'>): string => {
    const hash = hashPrompt(messages)
    const reply = replies[hash]
    if (reply !== undefined) return reply
    missing.push(hash)
    keepPrompt(hash, messages)
    throw new AppError('ai_failed', `Prompt ${hash} has no reply.`)
  }
  const model: TutorModel = {
    name: 'replies that were written down',
    answer: (task) => readSentences(oneToken(() => find(task))),
    judge: async (task) => readJudgements(find(task)),
  }

  /** @returns what a learner is shown, be it the model's or, where it has no reply, the narrator's own words */
  async function ask(index: TutorIndex, question: string) {
    const asked = { question, timeMs: null, stepId: null }
    const { whole, by, shown } = planAnswer(index, asked)
    if (shown === null) throw new Error(`Nothing is said in ${index.title}.`)
    const { answer } = await publishModelAnswer(whole, shown, {
      model,
      question,
      by,
      task: { moduleId: index.title, messages: answerPrompt(index, shown, { ...asked, earlier: [] }) },
      askJudge: (sentences) => ({ moduleId: index.title, messages: judgePrompt(sentences) }),
      leftMs: () => Number.MAX_SAFE_INTEGER,
      halt: new AbortController().signal,
      publish: () => undefined,
    })
    return { isCovered: answer.isCovered, text: answer.text, citations: presentMeta('', answer).citations }
  }

  return { answeredBy, missing, ask }
}

async function* oneToken(read: () => string): AsyncGenerator<string> {
  yield read()
}
