import clsx from 'clsx'
import { Fragment, type KeyboardEvent, type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react'
import type { MatrixCell, MatrixPerson, MatrixTraining } from '#contract/records/matrix.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { dateOf, STATE_SIGNS, sayState } from './state-signs.ts'
import { type DrawnLine, useGridWindow } from './use-grid-window.ts'

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
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const isMoved = useRef(false)
  // Drawn by now, wherever the box is scrolled to.
  useLayoutEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    box.current?.querySelector<HTMLElement>(`[data-place="${active.row} ${active.column}"]`)?.focus()
  }, [active])
  function move(event: KeyboardEvent<HTMLElement>) {
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const mirrored: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }
    const next = MOVES[(isMirrored && mirrored[event.key]) || event.key]?.(active, last)
    if (next === undefined) return
    event.preventDefault()
    isMoved.current = true
    setActive({
      row: Math.min(Math.max(next.row, 0), last.row),
      column: Math.min(Math.max(next.column, 0), last.column),
    })
  }
  return { box, active, setActive, move }
}

/** People × trainings, for wide screens. */
export function MatrixTable({ trainings, people, onOpen }: MatrixProps) {
  const size = { rows: people.length, columns: trainings.length }
  const { box, active, setActive, move } = useGridKeys({ row: size.rows - 1, column: size.columns - 1 })
  const drawn = useGridWindow(box, { ...size, active })
  return (
    // Wider than any page; the names stay in sight, and nothing that has the focus lies behind them.
    <div
      ref={box}
      className="max-h-[80dvh] w-fit max-w-full scroll-ps-64 scroll-pt-32 overflow-auto rounded-card border border-line bg-surface shadow-card"
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys choose its cells
        role="grid"
        aria-label={m.matrix_region()}
        aria-rowcount={size.rows + 1}
        aria-colcount={size.columns + 1}
        onKeyDown={move}
        className="border-separate border-spacing-0 text-sm"
      >
        <thead>
          <tr aria-rowindex={1}>
            <th
              scope="col"
              className="sticky start-0 top-0 z-20 w-60 min-w-44 border-e border-b border-line bg-surface px-4 py-3 text-start align-bottom font-semibold"
            >
              {m.matrix_person()}
            </th>
            <Cells line={drawn.columns}>
              {(column) => trainings[column] && <TrainingHead training={trainings[column]} column={column} />}
            </Cells>
          </tr>
        </thead>
        <tbody>
          <Rows line={drawn.rows}>
            {(row) =>
              people[row] && (
                <PersonRow
                  person={people[row]}
                  {...{ trainings, row, onOpen }}
                  ref={drawn.measureRow}
                  columns={drawn.columns}
                  activeColumn={active.row === row ? active.column : null}
                  onFocus={(column) => setActive({ row, column })}
                />
              )
            }
          </Rows>
        </tbody>
      </table>
    </div>
  )
}

interface LineProps {
  line: DrawnLine
  children: (index: number) => ReactNode
}

/** Cells of one row, with the space of those that are not drawn. */
function Cells({ line: { items, endPx }, children }: LineProps) {
  return (
    <>
      {items.map(({ index, gapPx }) => (
        <Fragment key={index}>
          {gapPx > 0 && <td aria-hidden="true" style={{ minWidth: gapPx }} />}
          {children(index)}
        </Fragment>
      ))}
      {endPx > 0 && <td aria-hidden="true" style={{ minWidth: endPx }} />}
    </>
  )
}

function Rows({ line: { items, endPx }, children }: LineProps) {
  return (
    <>
      {items.map(({ index, gapPx }) => (
        <Fragment key={index}>
          {gapPx > 0 && <tr aria-hidden="true" style={{ height: gapPx }} />}
          {children(index)}
        </Fragment>
      ))}
      {endPx > 0 && <tr aria-hidden="true" style={{ height: endPx }} />}
    </>
  )
}

interface TrainingHeadProps {
  training: MatrixTraining
  column: number
}

function TrainingHead({ training: { title, counts }, column }: TrainingHeadProps) {
  const { not_assigned: _left, ...asked } = counts
  const people = Object.values(asked).reduce((sum, count) => sum + count, 0)
  const done = (counts.done ?? 0) + (counts.done_older ?? 0)
  return (
    <th
      scope="col"
      aria-colindex={column + 2}
      className="sticky top-0 z-10 w-32 min-w-32 border-b border-line bg-surface px-2 py-3 text-start align-bottom font-medium"
    >
      <span title={title} className="line-clamp-3 wrap-anywhere">
        <bdi>{title}</bdi>
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
  columns: DrawnLine
  ref: Ref<HTMLTableRowElement> | undefined
  activeColumn: number | null
  onFocus: (column: number) => void
}

function PersonRow({ person, trainings, row, columns, ref, activeColumn, onFocus, onOpen }: PersonRowProps) {
  const cells = new Map(person.cells.map((cell) => [cell.trainingId, cell]))
  return (
    <tr ref={ref} data-index={row} aria-rowindex={row + 2}>
      <th
        scope="row"
        className="sticky start-0 z-10 max-w-60 border-e border-b border-line bg-surface px-4 py-2 text-start font-medium"
      >
        <bdi className="wrap-anywhere">{person.name}</bdi>
        {person.number !== null && <span className="block text-xs font-normal text-ink-faint">{person.number}</span>}
      </th>
      <Cells line={columns}>
        {(column) => {
          const training = trainings[column]
          return (
            training && (
              <td aria-colindex={column + 2} className="border-b border-line p-1">
                <CellButton
                  cell={cells.get(training.id)}
                  person={person.name}
                  training={training.title}
                  place={`${row} ${column}`}
                  isActive={activeColumn === column}
                  onFocus={() => onFocus(column)}
                  onOpen={() => onOpen(person, training)}
                />
              </td>
            )
          )
        }}
      </Cells>
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
