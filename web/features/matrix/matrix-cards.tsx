import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { MatrixCell } from '#contract/records/matrix.ts'
import { TrainingState } from '#contract/records/training-state.ts'
import * as m from '#messages'
import { Card } from '#web/ui/card.tsx'
import type { MatrixProps } from './matrix-table.tsx'
import { STATE_SIGNS, sayState } from './state-signs.ts'

/** The same as `MatrixTable`, person by person, for phones. */
export function MatrixCards({ trainings, people, onOpen }: MatrixProps) {
  const columns = new Map(trainings.map((training) => [training.id, training]))
  return (
    <ul aria-label={m.matrix_region()} className="grid grid-cols-1 gap-3">
      {people.map((person) => {
        const asked = person.cells.filter(({ state }) => state !== 'not_assigned')
        return (
          <li key={person.id}>
            <Card>
              <details className="group">
                <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 px-4 py-3">
                  <span className="min-w-0 flex-1">
                    <bdi className="font-semibold wrap-anywhere">{person.name}</bdi>
                    {person.number !== null && (
                      <span className="ms-2 text-sm text-ink-faint">
                        <bdi>{person.number}</bdi>
                      </span>
                    )}
                    <StateCounts cells={asked} />
                  </span>
                  <ChevronDown
                    aria-hidden="true"
                    className="size-5 shrink-0 text-ink-faint transition-transform group-open:rotate-180"
                  />
                </summary>
                <ul className="border-t border-line p-2">
                  {asked.map((cell) => {
                    const training = columns.get(cell.trainingId)
                    return (
                      training !== undefined && (
                        <li key={training.id}>
                          <button
                            type="button"
                            onClick={() => onOpen(person, training)}
                            className="flex w-full items-center gap-3 rounded-control px-2 py-2 text-start hover:bg-sunken"
                          >
                            <StateIcon cell={cell} />
                            <span className="min-w-0">
                              <bdi className="text-sm font-medium wrap-anywhere">{training.title}</bdi>
                              <span className="block text-xs text-ink-soft">{sayState(cell)}</span>
                            </span>
                          </button>
                        </li>
                      )
                    )
                  })}
                </ul>
              </details>
            </Card>
          </li>
        )
      })}
    </ul>
  )
}

function StateIcon({ cell }: { cell: MatrixCell }) {
  const { icon: Icon, tone } = STATE_SIGNS[cell.state]
  return (
    <span className={clsx('grid size-8 shrink-0 place-items-center rounded-chip', tone)}>
      <Icon aria-hidden="true" className="size-4" />
    </span>
  )
}

/** The worst first. */
function StateCounts({ cells }: { cells: readonly MatrixCell[] }) {
  const states = TrainingState.options.filter((state) => cells.some((cell) => cell.state === state))
  return (
    <span className="mt-1 flex flex-wrap gap-1.5">
      {states.map((state) => {
        const { icon: Icon, tone, label } = STATE_SIGNS[state]
        return (
          <span key={state} className={clsx('inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs', tone)}>
            <Icon aria-hidden="true" className="size-3.5" />
            <span className="sr-only">{label()}</span>
            <span className="tabular-nums">{cells.filter((cell) => cell.state === state).length}</span>
          </span>
        )
      })}
    </span>
  )
}
