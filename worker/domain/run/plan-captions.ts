import { planStretches } from '#worker/domain/step/plan-stretches.ts'
import { listSegments } from '#worker/domain/transcript/transcript-store.ts'
import { findCurrentRun } from './current-run.ts'
import { finishRun } from './finish-run.ts'
import { planStretchesOf } from './formation-store.ts'
import { updateReport } from './report-run.ts'
import type { RunDeps } from './run-deps.ts'
import { sendAll } from './run-queues.ts'
import type { RunId } from './run-store.ts'

/** Asks for the steps of a captioned module, all stretches at once; nothing is to be heard. Once per run. */
export async function planCaptions(deps: RunDeps, id: RunId): Promise<void> {
  const { moduleId, run } = id
  const lengths = planStretches(await listSegments(deps.db, moduleId)).map((stretch) => stretch.length)
  let position = 0
  const planned = lengths.map((length) => {
    const fromPosition = position
    position += length
    return { fromPosition, toPosition: position }
  })
  if (!(await planStretchesOf(deps.d1, id, planned))) return
  if (planned.length === 0) return finishRun(deps, id)
  const current = await findCurrentRun(deps, id)
  if (current !== null) await updateReport(deps.db, current, deps.nowMs())
  await sendAll(
    deps.queues.steps,
    planned.map((_, stretch) => ({ kind: 'steps', moduleId, run, stretch }) as const),
  )
}
