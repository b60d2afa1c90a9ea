import { countSeconds, lengthOf, type TimeRanges, toWholeSeconds, unite } from '#contract/time-ranges.ts'
import { readPlayed, writePlayed } from './bound-ranges.ts'
import { type ExportedLearner, type ExportedSession, readLearners, readVisits } from './export-store.ts'
import { type ExportedModule, isSelfReported } from './learner-lines.ts'
import { type Pseudonymise, toUuid } from './pseudonym.ts'

/** @see https://w3id.org/xapi/video (1.0.3) */
const PROFILE = 'https://w3id.org/xapi/video'
const EXTENSIONS = `${PROFILE}/extensions`
const VERBS = {
  initialized: 'http://adlnet.gov/expapi/verbs/initialized',
  terminated: 'http://adlnet.gov/expapi/verbs/terminated',
  completed: 'http://adlnet.gov/expapi/verbs/completed',
} as const

interface ExportDeps {
  d1: D1Database
  pseudonymise: Pseudonymise
  /** Where this Adapt is reached. */
  origin: string
}

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
export async function* writeStatements(deps: ExportDeps, module: ExportedModule): AsyncGenerator<string> {
  let before = '['
  for await (const learners of readLearners(deps.d1, module.id)) {
    for await (const { learner, sessions } of readVisits(deps.d1, module.id, learners)) {
      const made = statementsOf(learner, sessions, { ...module, origin: deps.origin })
      const statements = await Promise.all(made.map((each) => writeStatement(deps, module, { ...each, learner })))
      for (const statement of statements) {
        yield `${before}\n${JSON.stringify(statement)}`
        before = ','
      }
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** An extension of our own where playback was reported faster than the clock allows, as without a connection. */
function selfReported(origin: string, isMarked: boolean): Record<string, boolean> {
  return isMarked ? { [`${origin}/xapi/self-reported`]: true } : {}
}

function statementsOf(
  learner: ExportedLearner,
  sessions: readonly ExportedSession[],
  { origin, ...module }: ExportedModule & { origin: string },
): Statement[] {
  let seen: TimeRanges = []
  const made = sessions.flatMap((session): Statement[] => {
    const { sessionId, startedAtMs, lastAtMs, played, positionS } = session
    seen = unite(seen, toWholeSeconds(readPlayed(played), module.durationS))
    const time = { [`${EXTENSIONS}/time`]: positionS }
    const extensions = {
      ...time,
      ...progressOf(seen, module),
      [`${EXTENSIONS}/played-segments`]: played,
      ...selfReported(origin, session.isSelfReported),
    }
    return [
      { verb: 'initialized', atMs: startedAtMs, sessionId },
      { verb: 'terminated', atMs: lastAtMs, sessionId, result: { extensions } },
    ]
  })
  const last = sessions.at(-1)
  if (learner.completedAtMs === null || last === undefined) return made
  const extensions = {
    [`${EXTENSIONS}/time`]: last.positionS,
    ...progressOf(learner.seen, module),
    [`${EXTENSIONS}/played-segments`]: writePlayed(learner.seen),
    ...selfReported(origin, isSelfReported(learner, module)),
  }
  const result = { completion: true, extensions }
  return [...made, { verb: 'completed', atMs: learner.completedAtMs, sessionId: last.sessionId, result }]
}

/** As the profile has it: a share with three decimals. */
function progressOf(seen: TimeRanges, { durationS }: ExportedModule): Record<string, number> {
  return {
    [`${EXTENSIONS}/progress`]: Math.min(1, Math.round((lengthOf(seen) * 1000) / countSeconds(durationS)) / 1000),
  }
}

async function writeStatement(
  { pseudonymise, origin }: ExportDeps,
  module: ExportedModule,
  { verb, atMs, sessionId, result, learner }: Statement & { learner: ExportedLearner },
) {
  const [name, id, session] = await Promise.all([
    pseudonymise(learner.learnerId),
    pseudonymise(learner.learnerId, sessionId, verb),
    pseudonymise(learner.learnerId, sessionId),
  ])
  return {
    id: toUuid(id),
    timestamp: new Date(atMs).toISOString(),
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
