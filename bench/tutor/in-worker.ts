import type { TutorModel } from '#worker/ports/tutor-model.ts'
import type { ModelCall } from '../wire.ts'

/** A fast hosted model: its first sentence, then one every so often. */
const FIRST_SENTENCE_MS = 300
const SENTENCE_EVERY_MS = 40
const SENTENCES = 5
/** That a stream is at its end is an event of its own, a token later. */
const END_AFTER_MS = 20

const calls: ModelCall[] = []

/** Returns the notes about all calls since it was last called. */
export function takeModelCalls(): ModelCall[] {
  return calls.splice(0)
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats the passages that it is shown, a sentence at a time, at the pace of a model. */
export const simulatedTutorModel: TutorModel = {
  name: 'simulated',
  async *answer({ messages }, signal) {
    const user = messages[1]?.content ?? ''
    const question = /<question>(.*)<\/question>/.exec(user)?.[1] ?? ''
    const call: ModelCall = { question, askedAtMs: Date.now(), sentAtMs: [] }
    calls.push(call)
    const shown = [...user.matchAll(/^\[(\d+)\] [\d:]+ (.*)$/gm)]
    await sleep(FIRST_SENTENCE_MS)
    for (const [at, [, number, text]] of shown.slice(0, SENTENCES).entries()) {
      if (at > 0) await sleep(SENTENCE_EVERY_MS)
      if (signal.aborted) return
      call.sentAtMs.push(Date.now())
      yield { text: text ?? '', segments: [Number(number)] }
    }
    await sleep(END_AFTER_MS)
  },
}

/**
 * Streams the least that an answer costs which is kept: one row read, one written, and the way through the server to
 * the learner. Nothing is checked, searched, paid or shared.
 */
export async function streamBare(d1: D1Database, moduleId: string, question: string): Promise<ReadableStream> {
  await d1.prepare('SELECT title FROM modules WHERE id = ?').bind(moduleId).first()
  await d1.prepare('INSERT INTO bench_bare (question) VALUES (?)').bind(question).run()
  const call: ModelCall = { question, askedAtMs: Date.now(), sentAtMs: [] }
  calls.push(call)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      if (call.sentAtMs.length === SENTENCES) {
        controller.enqueue(encoder.encode('data: {"ms":0}\n\ndata: [DONE]\n\n'))
        controller.close()
        return
      }
      await sleep(SENTENCE_EVERY_MS)
      call.sentAtMs.push(Date.now())
      controller.enqueue(encoder.encode('data: "The wrench for the wheel nuts is under the carpet."\n\n'))
    },
  })
}
