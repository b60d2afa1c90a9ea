import { type CurrentRun, findCurrentRun, needsCaptionPlan } from './current-run.ts'
import { finishRun } from './finish-run.ts'
import { formStretch } from './form-stretch.ts'
import { storeStretch } from './formation-store.ts'
import { endIfInVain } from './judge-run.ts'
import { countHeardBetween, listPartsBetween, type PartRow, readWords } from './part-store.ts'
import { planCaptions } from './plan-captions.ts'
import type { RunDeps } from './run-deps.ts'
import type { RunId, RunRow } from './run-store.ts'
import { planFormation } from './stretch-plan.ts'
import { findStretch, storeWritten } from './stretch-store.ts'

/**
 * Forms every stretch whose parts have been heard, in order, and asks for its steps. Any number of callers may do so at
 * the same time: each stretch is stored once.
 * @returns the run as it is then; null when it has ended
 */
export async function advanceRun(deps: RunDeps, id: RunId): Promise<CurrentRun | null> {
  for (let isOvertaken = false; ; ) {
    const current = await findCurrentRun(deps, id)
    // No stretch of what was heard is stored any more: going on would never end.
    if (current !== null && needsCaptionPlan(current)) return planInstead(deps, id)
    // The caller that stored the section looks for the next one as well, at all that is transcribed by then. If both
    // went on, each chunk of a long video would form every section again.
    if (current === null || isOvertaken || !(await isNextHeard(deps, current.run))) return current
    if (await endIfInVain(deps, current.run)) return null
    isOvertaken = !(await formNext(deps, current))
  }
}

async function planInstead(deps: RunDeps, id: RunId): Promise<CurrentRun | null> {
  await planCaptions(deps, id)
  return findCurrentRun(deps, id)
}

/**
 * Whether hearing this part can complete a run's next stretch. Otherwise nothing is to be done: a stretch that becomes
 * the next one later is looked at by whoever formed the one before it.
 */
export function canAdvance(run: RunRow, part: number): boolean {
  const needed = neededParts(run)
  return needed !== null && part >= needed.first && part <= needed.last
}

/** The parts that a run's next stretch is formed from. Null after the last one. */
function neededParts({ formedStretches, stretchCount, partCount }: RunRow) {
  if (stretchCount !== null) return null
  const { firstNeeded: first, lastNeeded: last, isLast } = planFormation(formedStretches, partCount)
  return { first, last, isLast }
}

async function isNextHeard(deps: RunDeps, run: RunRow): Promise<boolean> {
  const needed = neededParts(run)
  if (needed === null) return false
  const { first, last, isLast } = needed
  // What ends the run is judged by all that was heard, so its sums have to be whole.
  if (isLast && run.heardCount <= last) return false
  return (await countHeardBetween(deps.db, run, first, last)) === last - first + 1
}

/** @returns false when another caller stored the section first */
async function formNext(deps: RunDeps, current: CurrentRun): Promise<boolean> {
  const { run } = current
  const { formedStretches: stretch, moduleId } = run
  const { first = 0, last = 0, isLast = false } = neededParts(run) ?? {}
  const rows = await listPartsBetween(deps.db, run, first, last)
  const lastOwn = isLast ? rows.at(-1) : rows.at(-2)
  const formed = formStretch({
    parts: rows.map(toHeard),
    fromMs: run.formedUntilMs,
    borderMs: isLast ? null : (rows.at(-1)?.startMs ?? null),
    lastPartMs: lastOwn?.startMs ?? 0,
  })
  const at = { stretch, fromPosition: run.formedSegments, isLast, nowMs: deps.nowMs() }
  if (!(await storeStretch(deps.d1, run, { ...at, ...formed }))) return false
  if (formed.segments.length > 0) await deps.queues.steps.send({ kind: 'steps', moduleId, run: run.run, stretch })
  else await passSilence(deps, current, stretch)
  return true
}

function toHeard(row: PartRow) {
  return { audioStartMs: row.audioStartMs, startMs: row.startMs, endMs: row.endMs, words: readWords(row) }
}

/** Where nobody spoke there is nothing to write. */
async function passSilence(deps: RunDeps, current: CurrentRun, stretch: number): Promise<void> {
  const row = await findStretch(deps.db, current.run, stretch)
  const answer = { steps: [], isDraft: false }
  if (row !== null) await storeWritten(deps.db, current, { stretch: row, answer, nowMs: deps.nowMs() })
  await finishRun(deps, current.run)
}
