import { finishRun } from './finish-run.ts'
import { formStretch } from './form-stretch.ts'
import { storeStretch } from './formation-store.ts'
import { listPartsBetween, type PartRow, readWords } from './part-store.ts'
import type { RunDeps } from './run-deps.ts'
import { findRun, type RunId, type RunRow } from './run-store.ts'
import { partsOfStretch } from './stretch-plan.ts'
import { findStretch, storeWritten } from './stretch-store.ts'

/** The next stretch of a run, once everything that it is formed from has been heard. */
interface NextStretch {
  stretch: number
  /** Its own parts, with one neighbour on each side. */
  rows: PartRow[]
  from: number
  to: number
  isLast: boolean
}

/**
 * Forms every stretch whose parts have been heard, in order, and asks for its steps. Any number of callers may do so at
 * the same time: each stretch is stored once.
 */
export async function advanceRun(deps: RunDeps, id: RunId): Promise<void> {
  for (;;) {
    const run = await findRun(deps.db, id)
    const next = run === null || run.endedAt !== null ? null : await findNext(deps, run)
    if (run === null || next === null) return
    await formNext(deps, run, next)
  }
}

async function findNext(deps: RunDeps, run: RunRow): Promise<NextStretch | null> {
  const { formedStretches: stretch, partCount, stretchCount } = run
  if (stretchCount !== null) return null
  const { from, to } = partsOfStretch(stretch)
  const isLast = partCount !== null && to >= partCount
  const lastNeeded = isLast ? partCount - 1 : to
  const rows = await listPartsBetween(deps.db, run, Math.max(0, from - 1), lastNeeded)
  const isHeard = rows.at(-1)?.part === lastNeeded && rows.every((row) => row.status === 'heard')
  return isHeard ? { stretch, rows, from, to, isLast } : null
}

async function formNext(deps: RunDeps, run: RunRow, next: NextStretch): Promise<void> {
  const { stretch, rows, to, isLast } = next
  const own = rows.filter((row) => row.part < to)
  const formed = formStretch({
    parts: rows.map(({ audioStartMs, startMs, endMs, ...row }) => {
      return { audioStartMs, startMs, endMs, words: readWords({ audioStartMs, startMs, endMs, ...row }) }
    }),
    fromMs: run.formedUntilMs,
    borderMs: isLast ? null : (rows.at(-1)?.startMs ?? null),
    lastPartMs: own.at(-1)?.startMs ?? 0,
  })
  const fromPosition = run.formedSegments
  const stored = await storeStretch(deps.d1, run, { stretch, fromPosition, isLast, nowMs: deps.nowMs(), ...formed })
  if (!stored) return
  if (formed.segments.length > 0) {
    await deps.queues.steps.send({ kind: 'steps', moduleId: run.moduleId, run: run.run, stretch })
    return
  }
  const silent = await findStretch(deps.db, run, stretch)
  if (silent !== null) await storeWritten(deps.db, silent, { steps: [], isDraft: false })
  await finishRun(deps, run)
}
