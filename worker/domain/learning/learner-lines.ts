import { judgeStep, type StepSpan } from '#contract/step-progress.ts'
import { countSeconds } from '#contract/time-ranges.ts'
import { type ExportedLearner, readLearners } from './export-store.ts'
import type { Pseudonymise } from './pseudonym.ts'
import { writeCsvLine } from './write-csv.ts'

/** What of a module its downloads need. */
export interface ExportedModule {
  id: string
  title: string
  durationS: number
  completionPercent: number
  steps: readonly (StepSpan & { title: string })[]
}

/** So that table programs take it for the Unicode that it is. */
const BYTE_ORDER_MARK = '\uFEFF'
const HEAD = ['Learner', 'Pseudonym', 'First watched', 'Last watched', 'Seconds watched', 'Percent watched']

/** A table with one line for each learner, some lines at a time. */
export async function* writeLearnerLines(
  { d1, pseudonymise }: { d1: D1Database; pseudonymise: Pseudonymise },
  module: ExportedModule,
): AsyncGenerator<string> {
  const steps = module.steps.map(({ title }, at) => `Step ${at + 1}: ${title}`)
  yield BYTE_ORDER_MARK + writeCsvLine([...HEAD, 'Completed', 'Self-reported', 'Left at second', ...steps])
  let number = 0
  for await (const learners of readLearners(d1, module.id)) {
    const names = await Promise.all(learners.map(({ learnerId }) => pseudonymise(learnerId)))
    const lines = learners.map((learner, at) => {
      return writeCsvLine([number + at + 1, names[at] ?? '', ...describeLearner(learner, module)])
    })
    number += learners.length
    yield lines.join('')
  }
}

/** Whether a learner has completed a module only with playback that was reported faster than the clock allows. */
export function isSelfReported(
  { completedAtMs, verifiedSeconds }: ExportedLearner,
  { durationS, completionPercent }: Pick<ExportedModule, 'durationS' | 'completionPercent'>,
): boolean {
  return completedAtMs !== null && verifiedSeconds * 100 < countSeconds(durationS) * completionPercent
}

function describeLearner(learner: ExportedLearner, module: ExportedModule): (string | number)[] {
  const { durationS, steps } = module
  const { seen, seenSeconds, firstAtMs, lastAtMs, completedAtMs, positionS } = learner
  return [
    writeTime(firstAtMs),
    writeTime(lastAtMs),
    seenSeconds,
    Math.min(100, Math.floor((seenSeconds * 100) / countSeconds(durationS))),
    completedAtMs === null ? '' : writeTime(completedAtMs),
    isSelfReported(learner, module) ? 'yes' : '',
    completedAtMs === null ? positionS : '',
    ...steps.map((step) => {
      const { isFinished, isReached } = judgeStep(step, { once: seen, again: [] })
      return isFinished ? 'finished' : isReached ? 'reached' : ''
    }),
  ]
}

function writeTime(atMs: number): string {
  return new Date(atMs).toISOString()
}
