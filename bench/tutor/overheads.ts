import { median, quantile } from '../shared/statistics.ts'
import type { Heard } from './ask.ts'
import type { ModelCall } from './planted.ts'

/** What is ours of an answer's time, the model's own taken out. */
export interface Overhead {
  /** From the question until the model has it, and from its first sentence until the learner has that. */
  firstMs: number
  /** From each further sentence until the learner has it. */
  chunksMs: number[]
}

/** Two clocks that cut off the fractions are equal on average, so a single figure may be a millisecond off. */
export function findOverheads(heard: readonly Heard[], calls: readonly ModelCall[]): Overhead[] {
  const notes = new Map(calls.map((call) => [call.question, call]))
  return heard.map(({ question, askedAtMs, heardAtMs }) => {
    const call = notes.get(question)
    if (call === undefined || call.saidAtMs.length !== heardAtMs.length)
      throw new Error(`Not all was heard: ${question}`)
    const [first = 0, ...chunksMs] = heardAtMs.map((atMs, at) => atMs - (call.saidAtMs[at] ?? 0))
    return { firstMs: call.askedAtMs - askedAtMs + first, chunksMs }
  })
}

/** Mean, median and the 95th percentile. */
export interface Figures {
  meanMs: number
  medianMs: number
  p95Ms: number
  count: number
}

export function figuresOf(values: readonly number[]): Figures {
  const meanMs = values.reduce((sum, value) => sum + value, 0) / values.length
  return { meanMs, medianMs: median(values), p95Ms: quantile(values, 0.95), count: values.length }
}
