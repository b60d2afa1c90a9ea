import { ANSWER_DEADLINE_MS } from '#contract/limits.ts'
import type { JoinedTrainings } from '#worker/domain/tutor/join-trainings.ts'
import type { PublishedAnswer, TutorAnswer } from '#worker/domain/tutor/plan-answer.ts'
import { judgePrompt } from '#worker/domain/tutor/prompts/judge-sentences.v1.ts'
import { type Halt, publishModelAnswer } from '#worker/domain/tutor/publish-answer.ts'
import { NO_ANSWER, type TutorModel, type TutorReply } from '#worker/ports/language-model.ts'

/** Reserved for sending the answer. */
const SEND_MS = 500

/** What a model is asked. */
export type ModelTask = Parameters<TutorModel['answer']>[0]

/** What stands in for the answer of a model that failed. */
const NONE: TutorAnswer = { text: '', isCovered: false, sentences: [], step: null }

interface JoinedQuestion {
  question: string
  model: TutorModel
  task: ModelTask
  nowMs: () => number
}

/** Has a model answer from joined trainings, and checks what it says. */
export async function publishJoined(
  { shown }: JoinedTrainings,
  { question, model, task, nowMs }: JoinedQuestion,
): Promise<PublishedAnswer> {
  const endsMs = nowMs() + ANSWER_DEADLINE_MS - SEND_MS
  const halt = new AbortController()
  const timer = setTimeout(() => halt.abort('late' satisfies Halt), endsMs - nowMs())
  const apart: TutorModel = {
    name: model.name,
    judge: (judged, signal) => model.judge(judged, signal),
    answer: (asked, signal) => keepApart(model.answer(asked, signal), (number) => shown[number - 1]?.part),
  }
  try {
    return await publishModelAnswer(NONE, shown, {
      question,
      model: apart,
      by: 'none',
      task,
      askJudge: (sentences) => ({ moduleId: task.moduleId, messages: judgePrompt(sentences) }),
      leftMs: () => endsMs - nowMs(),
      halt: halt.signal,
      publish: () => undefined,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Leaves a sentence the segments of its first training: two trainings together may say what neither does. */
async function* keepApart(
  replies: AsyncIterable<TutorReply>,
  partOf: (number: number) => number | undefined,
): AsyncGenerator<TutorReply> {
  for await (const reply of replies) {
    if (reply === NO_ANSWER) yield reply
    else {
      const first = reply.segments.map(partOf).find((part) => part !== undefined)
      yield { ...reply, segments: reply.segments.filter((number) => partOf(number) === first) }
    }
  }
}
