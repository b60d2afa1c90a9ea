import type { LearningExportRequest } from '#contract/learning.ts'
import { judgeStep, type StepSpan } from '#contract/step-progress.ts'
import { countSeconds, lengthOf, type TimeRanges, toWholeSeconds, unite } from '#contract/time/time-ranges.ts'
import { type Cuts, percentOfShown, percentOfWhole } from '#contract/time/visible-time.ts'
import { writeCsvLine } from '#records/csv.ts'
import type { Context } from '#worker/core/context.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { streamText } from '#worker/domain/stream-text.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { readPlayed } from './apply-report.ts'
import { writePlayed } from './bound-ranges.ts'
import {
  type ExportedLearner,
  type ExportedSession,
  openPseudonyms,
  type Pseudonymise,
  readLearners,
  readVisits,
  toUuid,
} from './export-store.ts'
import { readCounts } from './metrics-store.ts'

/** Exports the learners of a module as a file that is read and written some learners at a time. */
export async function exportLearning(
  { db, d1, secrets }: Pick<Context, 'db' | 'd1' | 'secrets'>,
  module: ModuleRow,
  { format, origin }: LearningExportRequest & { origin: string },
): Promise<ReadableStream<Uint8Array>> {
  const { id, title, completionPercent, durationMs, cuts } = module
  const moduleFacts = { id, title, completionPercent, cuts, durationS: (durationMs ?? 0) / 1000, origin }
  const { steps } = await readCounts(d1, id)
  const exported = { ...moduleFacts, steps, db, d1, pseudonymise: await openPseudonyms(secrets, id) }
  return streamText(format === 'csv' ? writeLearnerLines(exported) : writeStatements(exported))
}

/** The fields of a module that its downloads need, and their dependencies. */
interface ExportedModule extends Pick<ModuleRow, 'id' | 'title' | 'completionPercent'>, Pick<Context, 'db' | 'd1'> {
  durationS: number
  cuts: Cuts
  steps: readonly (StepSpan & { title: string })[]
  pseudonymise: Pseudonymise
  /** Where this Adapt is reached. */
  origin: string
}

/** Spreadsheets read the file as UTF-8 only with it. */
const BYTE_ORDER_MARK = '\uFEFF'
const HEAD = ['Learner', 'Pseudonym', 'First watched', 'Last watched', 'Seconds watched', 'Percent watched']

/** A table with one line for each learner, some lines at a time. */
async function* writeLearnerLines(module: ExportedModule): AsyncGenerator<string> {
  const steps = module.steps.map(({ title }, index) => `Step ${index + 1}: ${title}`)
  yield BYTE_ORDER_MARK + writeCsvLine([...HEAD, 'Completed', 'Self-reported', 'Left at second', ...steps])
  let number = 0
  for await (const learners of readLearners(module.d1, module.id)) {
    const names = await Promise.all(learners.map(({ learnerId }) => module.pseudonymise(learnerId)))
    const lines = learners.map((learner, index) => {
      return writeCsvLine([number + index + 1, names[index] ?? '', ...describeLearner(learner, module)])
    })
    number += learners.length
    yield lines.join('')
  }
}

/** Whether a learner has completed a module only with playback that was reported faster than the clock allows. */
function isSelfReported(
  { completedAtMs, verifiedSeconds }: ExportedLearner,
  { completionPercent, ...video }: Pick<ExportedModule, 'durationS' | 'cuts' | 'completionPercent'>,
): boolean {
  return (
    completedAtMs !== null &&
    verifiedSeconds * 100 < countSeconds(video.durationS) * percentOfWhole(completionPercent, video)
  )
}

function describeLearner(learner: ExportedLearner, module: ExportedModule): (string | number)[] {
  const { steps } = module
  const { seen, seenSeconds, firstAtMs, lastAtMs, completedAtMs, positionS } = learner
  return [
    toIso(firstAtMs),
    toIso(lastAtMs),
    seenSeconds,
    percentOfShown(seen, module),
    completedAtMs === null ? '' : toIso(completedAtMs),
    isSelfReported(learner, module) ? 'yes' : '',
    completedAtMs === null ? positionS : '',
    ...steps.map((step) => {
      const { isFinished, isReached } = judgeStep(step, { once: seen, again: [] })
      return isFinished ? 'finished' : isReached ? 'reached' : ''
    }),
  ]
}

/** @see https://w3id.org/xapi/video (1.0.3) */
const PROFILE = 'https://w3id.org/xapi/video'
const EXTENSIONS = `${PROFILE}/extensions`
const VERBS = {
  initialized: 'http://adlnet.gov/expapi/verbs/initialized',
  terminated: 'http://adlnet.gov/expapi/verbs/terminated',
  completed: 'http://adlnet.gov/expapi/verbs/completed',
} as const

interface Statement {
  verb: keyof typeof VERBS
  atMs: number
  sessionId: string
  result?: Record<string, unknown>
}

/**
 * Statements of the xAPI video profile as one JSON array, some at a time: for each opened page `initialized` and
 * `terminated` with what was played, for each learner who is through `completed`. A statement has the same id each time.
 */
async function* writeStatements(module: ExportedModule): AsyncGenerator<string> {
  let before = '['
  for await (const learners of readLearners(module.d1, module.id)) {
    for await (const { learner, sessions } of readVisits(module.db, module.id, learners)) {
      const made = statementsOf(learner, sessions, module)
      const statements = await Promise.all(made.map((each) => writeStatement(module, { ...each, learner })))
      for (const statement of statements) {
        yield `${before}\n${JSON.stringify(statement)}`
        before = ','
      }
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

function statementsOf(
  learner: ExportedLearner,
  sessions: readonly ExportedSession[],
  module: ExportedModule,
): Statement[] {
  let seen: TimeRanges = []
  const made = sessions.flatMap(({ sessionId, startedAt, lastAt, ...session }): Statement[] => {
    seen = unite(seen, toWholeSeconds(readPlayed(session.played), module.durationS))
    const extensions = extensionsOf({ ...session, seen }, module)
    return [
      { verb: 'initialized', atMs: startedAt, sessionId },
      { verb: 'terminated', atMs: lastAt, sessionId, result: { extensions } },
    ]
  })
  const last = sessions.at(-1)
  if (learner.completedAtMs === null || last === undefined) return made
  const played = writePlayed(learner.seen)
  const progress = {
    positionS: last.positionS,
    seen: learner.seen,
    played,
    isSelfReported: isSelfReported(learner, module),
  }
  const result = { completion: true, extensions: extensionsOf(progress, module) }
  return [...made, { verb: 'completed', atMs: learner.completedAtMs, sessionId: last.sessionId, result }]
}

interface Played {
  positionS: number
  seen: TimeRanges
  played: string
  isSelfReported: boolean
}

function extensionsOf(
  { positionS, seen, played, isSelfReported }: Played,
  { durationS, origin }: ExportedModule,
): Record<string, number | string | boolean> {
  return {
    [`${EXTENSIONS}/time`]: positionS,
    // The profile asks for a share with three decimals.
    [`${EXTENSIONS}/progress`]: Math.min(1, Math.round((lengthOf(seen) * 1000) / countSeconds(durationS)) / 1000),
    [`${EXTENSIONS}/played-segments`]: played,
    // An extension of our own where playback was reported faster than the clock allows, as without a connection.
    ...(isSelfReported && { [`${origin}/xapi/self-reported`]: true }),
  }
}

async function writeStatement(
  { pseudonymise, origin, ...module }: ExportedModule,
  { verb, atMs, sessionId, result, learner }: Statement & { learner: ExportedLearner },
) {
  const [name, id, session] = await Promise.all([
    pseudonymise(learner.learnerId),
    pseudonymise(learner.learnerId, sessionId, verb),
    pseudonymise(learner.learnerId, sessionId),
  ])
  return {
    id: toUuid(id),
    timestamp: toIso(atMs),
    actor: { objectType: 'Agent', account: { homePage: origin, name } },
    verb: { id: VERBS[verb], display: { 'en-US': verb } },
    object: {
      objectType: 'Activity',
      id: `${origin}/share/${module.id}`,
      definition: { type: `${PROFILE}/activity-type/video`, name: { und: module.title } },
    },
    ...(result && { result }),
    context: {
      contextActivities: { category: [{ objectType: 'Activity', id: PROFILE }] },
      extensions: {
        [`${EXTENSIONS}/session-id`]: toUuid(session),
        [`${EXTENSIONS}/length`]: module.durationS,
        [`${EXTENSIONS}/completion-threshold`]: module.completionPercent / 100,
      },
    },
  }
}
