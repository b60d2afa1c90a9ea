import type { Step } from '#contract/step.ts'
import type { StepConflict } from './save-queue.ts'
import { isSameStep } from './step-draft.ts'

export interface VersionRow {
  step: Step
  /** 1 for the first of its list. */
  number: number
}

/** Steps that are not the same in both versions; null where one of them has no such step. */
export function findDifferences({
  mine,
  theirs,
}: StepConflict): { mine: VersionRow | null; theirs: VersionRow | null }[] {
  const [mineById, theirsById] = [numberById(mine), numberById(theirs)]
  const ids = [...new Set([...mineById.keys(), ...theirsById.keys()])]
  const orders = [mine, theirs].map((steps) => steps.filter(({ id }) => mineById.has(id) && theirsById.has(id)))
  const isOrdered = orders[0]?.every((step, index) => step.id === orders[1]?.[index]?.id) ?? true
  return ids
    .map((id) => ({ mine: mineById.get(id) ?? null, theirs: theirsById.get(id) ?? null }))
    .filter((row) => {
      if (row.mine === null || row.theirs === null || !isSameStep(row.mine.step, row.theirs.step)) return true
      // Where only the order differs, every step that has another number does.
      return !isOrdered && row.mine.number !== row.theirs.number
    })
}

function numberById(steps: readonly Step[]): Map<string, VersionRow> {
  return new Map(steps.map((step, index) => [step.id, { step, number: index + 1 }]))
}
