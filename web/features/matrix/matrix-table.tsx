import clsx from 'clsx'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { MatrixCell, MatrixPerson, MatrixTraining } from '#contract/records/matrix.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { dateOf, STATE_SIGNS, sayState } from './state-signs.ts'

export interface MatrixProps {
  trainings: readonly MatrixTraining[]
  people: readonly MatrixPerson[]
  onOpen: (person: MatrixPerson, training: MatrixTraining) => void
}

interface Place {
  row: number
  column: number
}

/** How far each key goes. */
const MOVES: Record<string, (place: Place, last: Place) => Place> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, last) => ({ row, column: last.column }),
}

/** One cell takes the focus at a time, and the arrow keys move it (WAI-ARIA, grid). */
function useGridKeys(last: Place) {
  const grid = useRef<HTMLTableElement>(null)
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  function move(event: KeyboardEvent<HTMLElement>) {
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const mirrored: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }
    const next = MOVES[(isMirrored && mirrored[event.key]) || event.key]?.(active, last)
    if (next === undefined) return
    event.preventDefault()
    const place = {
      row: Math.min(Math.max(next.row, 0), last.row),
      column: Math.min(Math.max(next.column, 0), last.column),
    }
    setActive(place)
    grid.current?.querySelector<HTMLElement>(`[data-place="${place.row} ${place.column}"]`)?.focus()
  }
  return { grid, active, setActive, move }
}

/** People × trainings, for wide screens and paper. */
export function MatrixTable({ trainings, people, onOpen }: MatrixProps) {
  const last = { row: people.length - 1, column: trainings.length - 1 }
  const { grid, active, setActive, move } = useGridKeys(last)
  return (
    // Wider than any page; the names stay in sight.
    <div className="max-h-[80dvh] overflow-auto rounded-card border border-line bg-surface shadow-card print:max-h-none print:overflow-visible print:border-0 print:shadow-none">
      {/* biome-ignore lint/a11y/useSemanticElements: a table whose cells are chosen by arrow keys is a grid */}
      <table
        ref={grid}
        role="grid"
        aria-label={m.matrix_region()}
        onKeyDown={move}
        className="border-separate border-spacing-0 text-sm"
      >
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky start-0 top-0 z-20 min-w-44 border-e border-b border-line bg-surface px-4 py-3 text-start align-bottom font-semibold"
            >
              {m.matrix_person()}
            </th>
            {trainings.map((training) => (
              <TrainingHead key={training.id} training={training} />
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person, row) => (
            <PersonRow
              key={person.id}
              {...{ person, trainings, row, onOpen }}
              activeColumn={active.row === row ? active.column : null}
              onFocus={(column) => setActive({ row, column })}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TrainingHead({ training: { title, counts } }: { training: MatrixTraining }) {
  const { not_assigned: _left, ...asked } = counts
  const people = Object.values(asked).reduce((sum, count) => sum + count, 0)
  const done = (counts.done ?? 0) + (counts.done_older ?? 0)
  return (
    <th
      scope="col"
      className="sticky top-0 z-10 w-32 min-w-32 border-b border-line bg-surface px-2 py-3 text-start align-bottom font-medium"
    >
      <span dir="auto" title={title} className="line-clamp-3 wrap-anywhere">
        {title}
      </span>
      <span className="mt-1 block text-xs font-normal text-ink-soft tabular-nums">
        {m.matrix_done_of({ done, people })}
      </span>
      {(counts.overdue ?? 0) > 0 && (
        <span className="block text-xs font-normal text-danger-ink tabular-nums">
          {m.matrix_overdue({ count: counts.overdue ?? 0 })}
        </span>
      )}
    </th>
  )
}

interface PersonRowProps extends Pick<MatrixProps, 'trainings' | 'onOpen'> {
  person: MatrixPerson
  row: number
  activeColumn: number | null
  onFocus: (column: number) => void
}

function PersonRow({ person, trainings, row, activeColumn, onFocus, onOpen }: PersonRowProps) {
  const cells = new Map(person.cells.map((cell) => [cell.training, cell]))
  return (
    <tr className="break-inside-avoid">
      <th
        scope="row"
        className="sticky start-0 z-10 max-w-60 border-e border-b border-line bg-surface px-4 py-2 text-start font-medium"
      >
        <span dir="auto" className="block wrap-anywhere">
          {person.name}
        </span>
        {person.number !== null && <span className="block text-xs font-normal text-ink-faint">{person.number}</span>}
      </th>
      {trainings.map((training, column) => (
        <td key={training.id} className="border-b border-line p-1">
          <CellButton
            cell={cells.get(column)}
            person={person.name}
            training={training.title}
            place={`${row} ${column}`}
            isActive={activeColumn === column}
            onFocus={() => onFocus(column)}
            onOpen={() => onOpen(person, training)}
          />
        </td>
      ))}
    </tr>
  )
}

interface CellButtonProps {
  cell: MatrixCell | undefined
  person: string
  training: string
  place: string
  isActive: boolean
  onFocus: () => void
  onOpen: () => void
}

/** A sign, a colour and a date. What nobody is asked for takes the focus, but opens nothing. */
function CellButton({ cell, person, training, place, isActive, onFocus, onOpen }: CellButtonProps) {
  const isAsked = cell !== undefined && cell.state !== 'not_assigned'
  const focus = { 'data-place': place, tabIndex: isActive ? 0 : -1, onFocus }
  if (!isAsked) {
    return (
      <button
        type="button"
        {...focus}
        aria-disabled="true"
        aria-label={m.matrix_not_asked({ person, training })}
        className="block h-9 w-full rounded-chip text-center text-ink-faint"
      >
        <span aria-hidden="true">·</span>
      </button>
    )
  }
  const { icon: Icon, tone } = STATE_SIGNS[cell.state]
  const date = dateOf(cell)
  return (
    <button
      type="button"
      {...focus}
      aria-label={m.matrix_cell({ person, training, state: sayState(cell) })}
      title={sayState(cell)}
      onClick={onOpen}
      className={clsx(
        'flex h-9 w-full items-center gap-1.5 rounded-chip px-2 text-xs whitespace-nowrap hover:brightness-95',
        tone,
      )}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {date !== null && <span className="tabular-nums">{formatDate(date)}</span>}
    </button>
  )
}
