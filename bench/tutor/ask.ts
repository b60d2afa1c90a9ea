import { createParser } from 'eventsource-parser'
import { PLANTED, type PlantedName, writeQuestion } from './planted.ts'

/** A question and when its pieces came; epoch milliseconds, by the same clock as the model's notes. */
export interface Heard {
  question: string
  askedAtMs: number
  heardAtMs: number[]
}

/** The tutor, and a stream of the same server that is nothing but a stream. */
const PATHS = { tutor: '/api/ai/contextual-response/stream', bare: '/api/bench/bare' }

/** What is asked. */
export interface Asking {
  url: string
  path: keyof typeof PATHS
  name: PlantedName
  /** No two questions have the same, nor the same author. */
  number: number
}

/** Asks as the page does and hears the answer out. */
export async function ask({ url, path, name, number }: Asking): Promise<Heard> {
  const question = writeQuestion(number)
  const heardAtMs: number[] = []
  const last: string[] = []
  const body = JSON.stringify({ moduleId: PLANTED[name].id, userMessage: question, videoTime: 10 })
  const headers = { authorization: `Bearer learner-${number}.a.b`, 'content-type': 'application/json' }
  const askedAtMs = Date.now()
  const response = await fetch(`${url}${PATHS[path]}`, { method: 'POST', headers, body })
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  const parser = createParser({
    onEvent: ({ data }) => {
      last.push(data)
      if (data.startsWith('"') && data !== '""') heardAtMs.push(Date.now())
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of response.body) parser.feed(decoder.decode(chunk, { stream: true }))
  if (last.at(-1) !== '[DONE]' || !last.at(-2)?.includes('"ms":'))
    throw new Error(`No whole answer: ${last.join('\n')}`)
  return { question, askedAtMs, heardAtMs }
}
