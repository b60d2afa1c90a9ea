import { AppError } from '#worker/errors.ts'
import type { TutorModel } from '#worker/ports/tutor-model.ts'
import { answerExtractively } from './answer-extractively.ts'
import { answerQuickPrompt } from './answer-quick-prompt.ts'
import { checkCitations } from './check-citations.ts'
import { cleanAnswer } from './clean-answer.ts'
import type { TutorIndex } from './open-index.ts'
import { answerPrompt } from './prompts/answer-question.v1.ts'
import { type Asked, rankPassages } from './rank-passages.ts'
import type { TutorAnswer } from './tutor-answer.ts'

/**
 * Answers a question about a video. Quick prompts are answered from the steps, and what the video does not cover is
 * said without asking a model. Never fails: what the model does not do in time, or what none of its sources supports,
 * is answered in the speaker's own words.
 * @param model null where none is configured
 * @param deadline fires when the answer has to be given, whatever there is
 */
export async function answerQuestion(
  { index, model }: { index: TutorIndex; model: TutorModel | null },
  asked: Asked,
  deadline: AbortSignal,
): Promise<TutorAnswer> {
  const quick = answerQuickPrompt(index.steps, asked)
  if (quick !== null) return quick
  const extractive = answerExtractively(index, asked)
  if (model === null || !extractive.isCovered) return extractive
  try {
    const task = { question: asked.question, steps: index.steps, segments: chooseSegments(index, asked) }
    const said = await Promise.race([model.answer(answerPrompt(task), deadline), untilAborted(deadline)])
    const shown = new Set(task.segments.map(({ id }) => id))
    const sentences = keepGrounded(index, said, shown)
    if (sentences.length > 0) return { ...extractive, sentences, text: sentences.map(({ text }) => text).join(' ') }
    console.warn({ event: 'tutor_answer_refused', model: model.name, sentences: said.length })
  } catch (error) {
    console.warn({ event: 'tutor_model_failed', model: model.name, error: String(error) })
  }
  return extractive
}

/** The segments of the best passages, in time order. */
function chooseSegments(index: TutorIndex, asked: Asked) {
  const chosen = new Set<number>()
  for (const { firstSegment, lastSegment } of rankPassages(index, asked).passages)
    for (let at = firstSegment; at <= lastSegment; at += 1) chosen.add(at)
  return index.segments.filter((_, at) => chosen.has(at))
}

/** Sentences without a source that holds are not told; a model cites only what it was shown. */
function keepGrounded(index: TutorIndex, said: Awaited<ReturnType<TutorModel['answer']>>, shown: ReadonlySet<string>) {
  const starts = new Map(index.segments.map(({ id, startMs }) => [id, startMs]))
  const cleaned = said.map(({ text, segmentIds }) => ({
    text: cleanAnswer(text),
    segmentIds: segmentIds.filter((id) => shown.has(id)),
  }))
  return checkCitations(cleaned, index)
    .filter(({ text, segmentIds }) => text !== '' && segmentIds.length > 0)
    .map((sentence) => ({
      ...sentence,
      startMs: Math.min(...sentence.segmentIds.map((id) => starts.get(id) ?? Number.POSITIVE_INFINITY)),
    }))
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new AppError('ai_timeout', 'The tutor did not answer in time.'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
