import clsx from 'clsx'
import { type ComponentProps, Fragment, memo, type ReactNode, type Ref, type SyntheticEvent, useMemo } from 'react'
import type { MatrixCell, MatrixPerson, MatrixTraining } from '#contract/records/matrix.ts'
import * as m from '#messages'
import { formatDate } from '#web/lib/format/format-date.ts'
import { dateOf, STATE_SIGNS, sayState } from './state-signs.ts'
import { SpriteSign, StateSprite } from './state-sprite.tsx'
import { type Place, placeOf, useGridKeys } from './use-grid-keys.ts'
import { type DrawnLine, useGridWindow } from './use-grid-window.ts'

export interface MatrixProps {
  trainings: readonly MatrixTraining[]
  people: readonly MatrixPerson[]
  onOpen: (person: MatrixPerson, training: MatrixTraining) => void
}

/** People × trainings, for wide screens. */
export function MatrixTable({ trainings, people, onOpen }: MatrixProps) {
  const size = { rows: people.length, columns: trainings.length }
  const { box, active, move, follow } = useGridKeys({ row: size.rows - 1, column: size.columns - 1 })
  const drawn = useGridWindow(box, { ...size, active })
  function open(event: SyntheticEvent) {
    const place = placeOf(event)
    if (place === null) return
    const [person, training] = [people[place.row], trainings[place.column]]
    const cell = person?.cells.find(({ trainingId }) => trainingId === training?.id)
    if (person !== undefined && training !== undefined && isAsked(cell)) onOpen(person, training)
  }
  return (
    // Wider than any page; the names stay in sight, and nothing that has the focus lies behind them.
    <div
      ref={box}
      className="max-h-[80dvh] w-fit max-w-full scroll-ps-64 scroll-pt-32 overflow-auto rounded-card border border-line bg-surface shadow-card"
    >
      <StateSprite />
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- arrow keys choose its cells
        role="grid"
        aria-label={m.matrix_region()}
        aria-rowcount={size.rows + 1}
        aria-colcount={size.columns + 1}
        // There are thousands of cells: what happens in one of them is heard here.
        onKeyDown={move}
        onFocus={follow}
        onClick={open}
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
                  {...{ trainings, row }}
                  ref={drawn.measureRow}
                  columns={drawn.columns}
                  activeColumn={active.row === row ? active.column : null}
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

const TrainingHead = memo(function TrainingHead({ training: { title, counts }, column }: TrainingHeadProps) {
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
})

interface PersonRowProps extends Pick<MatrixProps, 'trainings'> {
  person: MatrixPerson
  row: number
  columns: DrawnLine
  ref: Ref<HTMLTableRowElement> | undefined
  activeColumn: number | null
}

const PersonRow = memo(function PersonRow({ person, trainings, row, columns, ref, activeColumn }: PersonRowProps) {
  const cells = useMemo(() => new Map(person.cells.map((cell) => [cell.trainingId, cell])), [person])
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
              <GridCell
                cell={cells.get(training.id)}
                person={person.name}
                training={training.title}
                {...{ row, column }}
                isActive={activeColumn === column}
              />
            )
          )
        }}
      </Cells>
    </tr>
  )
})

function isAsked(cell: MatrixCell | undefined): cell is MatrixCell {
  return cell !== undefined && cell.state !== 'not_assigned'
}

interface GridCellProps extends Place {
  cell: MatrixCell | undefined
  person: string
  training: string
  isActive: boolean
}

/** A sign, a colour and a date. What nobody is asked for takes the focus, but opens nothing. */
const GridCell = memo(function GridCell({ cell, person, training, row, column, isActive }: GridCellProps) {
  const focus = { type: 'button', 'data-place': `${row} ${column}`, tabIndex: isActive ? 0 : -1 } as const
  return (
    <td aria-colindex={column + 2} className="border-b border-line p-1">
      {isAsked(cell) ? (
        <StateButton {...focus} {...{ cell, person, training }} />
      ) : (
        <button
          {...focus}
          aria-disabled="true"
          aria-label={m.matrix_not_asked({ person, training })}
          className="block h-9 w-full rounded-chip text-center text-ink-faint"
        >
          ·
        </button>
      )}
    </td>
  )
})

interface StateButtonProps extends ComponentProps<'button'> {
  cell: MatrixCell
  person: string
  training: string
}

function StateButton({ cell, person, training, ...focus }: StateButtonProps) {
  const state = sayState(cell)
  const date = dateOf(cell)
  return (
    <button
      {...focus}
      aria-label={m.matrix_cell({ person, training, state })}
      title={state}
      className={clsx(
        'flex h-9 w-full items-center gap-1.5 rounded-chip px-2 text-xs whitespace-nowrap tabular-nums hover:brightness-95',
        STATE_SIGNS[cell.state].tone,
      )}
    >
      <SpriteSign state={cell.state} />
      {date !== null && formatDate(date)}
    </button>
  )
}
