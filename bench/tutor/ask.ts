import { createParser } from 'eventsource-parser'
import { latencyOf } from '../scenario.ts'
import type { ModelCall } from '../wire.ts'

export const PLANTED = {
  tenMinutes: { id: 'bench-tutor-ten-minutes', segments: 100 },
  threeHours: { id: 'bench-tutor-three-hours', segments: 1_800 },
} as const
export type PlantedName = keyof typeof PLANTED

const QUESTION = 'where is the wrench for the wheel nuts?'

/** The same question each time, but for its capitals, by which the model's notes about it are found. */
function writeQuestion(number: number): string {
  let bit = 1
  return QUESTION.replace(/[a-z]/g, (letter) => {
    const isCapital = (number & bit) !== 0
    bit *= 2
    return isCapital ? letter.toUpperCase() : letter
  })
}

/** A question and when its pieces came; epoch milliseconds, by the same clock as the model's notes. */
export interface Received {
  question: string
  askedAtMs: number
  receivedAtMs: number[]
}

/** The tutor, and a stream of the same server that is nothing but a stream. */
const PATHS = { tutor: '/api/ai/contextual-response/stream', bare: '/api/bench/bare' }

export interface Asking {
  url: string
  path: keyof typeof PATHS
  name: PlantedName
  /** No two questions have the same, nor the same author. */
  number: number
}

/** Asks as the page does and reads the answer to its end. */
export async function ask({ url, path, name, number }: Asking): Promise<Received> {
  const question = writeQuestion(number)
  const receivedAtMs: number[] = []
  const events: string[] = []
  const body = JSON.stringify({ moduleId: PLANTED[name].id, userMessage: question, videoTime: 10 })
  const headers = { authorization: `Bearer learner-${number}.a.b`, 'content-type': 'application/json' }
  const askedAtMs = Date.now()
  const response = await fetch(`${url}${PATHS[path]}`, { method: 'POST', headers, body })
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  const parser = createParser({
    onEvent: ({ data }) => {
      events.push(data)
      if (data.startsWith('"') && data !== '""') receivedAtMs.push(Date.now())
    },
  })
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text)
  if (events.at(-1) !== '[DONE]' || !events.at(-2)?.includes('"ms":'))
    throw new Error(`No whole answer: ${events.join('\n')}`)
  return { question, askedAtMs, receivedAtMs }
}

/**
 * What is ours of some questions' time, the model's own taken out: from the question until the model has it and from its
 * first sentence until the learner has that, and from each further sentence until the learner has it. Two clocks that
 * cut off the fractions are equal on average, so a single figure may be a millisecond off.
 */
export function findOverheads(received: readonly Received[], calls: readonly ModelCall[]) {
  const notes = new Map(calls.map((call) => [call.question, call]))
  const overheads = received.map(({ question, askedAtMs, receivedAtMs }) => {
    const call = notes.get(question)
    if (call === undefined || call.sentAtMs.length !== receivedAtMs.length)
      throw new Error(`Not all was received: ${question}`)
    const [first = 0, ...chunksMs] = receivedAtMs.map((atMs, at) => atMs - (call.sentAtMs[at] ?? 0))
    return { firstMs: call.askedAtMs - askedAtMs + first, chunksMs }
  })
  return {
    beforeFirstToken: latencyOf(overheads.map(({ firstMs }) => firstMs)),
    perChunk: latencyOf(overheads.flatMap(({ chunksMs }) => chunksMs)),
  }
}

export type Overheads = ReturnType<typeof findOverheads>
