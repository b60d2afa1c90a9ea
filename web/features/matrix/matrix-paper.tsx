import clsx from 'clsx'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MatrixCell, MatrixPerson, MatrixTraining } from '#contract/records/matrix.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { formatDate, formatMoment } from '#web/lib/format/format-date.ts'
import type { MatrixProps } from './matrix-table.tsx'
import { dateOf, STATE_SIGNS } from './state-signs.ts'

/** As many as fit across a sheet of A4 or Letter. */
const COLUMNS = 5

interface MatrixPaperProps extends Pick<MatrixProps, 'trainings' | 'people'> {
  /** Whether there are people who are not loaded, which paper would not show. */
  hasMore: boolean
}

/** People × trainings on paper, which cannot be scrolled: one table after the other. Nothing while nobody prints. */
export function MatrixPaper({ trainings, people, hasMore }: MatrixPaperProps) {
  const printedAt = usePrintedAt()
  if (printedAt === null) return null
  const parts = Array.from({ length: Math.ceil(trainings.length / COLUMNS) }, (_, part) =>
    trainings.slice(part * COLUMNS, (part + 1) * COLUMNS),
  )
  return (
    <>
      <div>
        <h2 className="text-lg font-semibold">{m.matrix_region()}</h2>
        <p className="text-sm text-ink-soft">{formatMoment(printedAt)}</p>
      </div>
      {hasMore && <p className="text-sm">{m.matrix_people_cut({ count: people.length })}</p>}
      {parts.map((part) => (
        <PaperTable key={part[0]?.id} {...{ people }} trainings={part} />
      ))}
    </>
  )
}

/** What is drawn for paper is there before the browser reads the page. @returns null while nobody prints */
function usePrintedAt(): string | null {
  const [printedAt, setPrintedAt] = useState<string | null>(null)
  useEffect(
    () =>
      listen(window, {
        beforeprint: () => flushSync(() => setPrintedAt(new Date().toISOString())),
        afterprint: () => setPrintedAt(null),
      }),
    [],
  )
  return printedAt
}

function PaperTable({ trainings, people }: Pick<MatrixProps, 'trainings' | 'people'>) {
  return (
    <table className="w-full table-fixed border-collapse text-xs">
      <thead>
        <tr>
          <Head text={m.matrix_person()} />
          {trainings.map(({ id, title }) => (
            <Head key={id} text={title} />
          ))}
          {/* The last table has columns as wide as the others. */}
          {Array.from({ length: COLUMNS - trainings.length }, (_, index) => (
            <td key={index} aria-hidden="true" />
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <PaperRow key={person.id} {...{ person, trainings }} />
        ))}
      </tbody>
    </table>
  )
}

function Head({ text }: { text: string }) {
  return (
    <th scope="col" className="border-b border-line-strong p-1 text-start align-bottom font-semibold wrap-anywhere">
      <bdi>{text}</bdi>
    </th>
  )
}

function PaperRow({ person, trainings }: { person: MatrixPerson; trainings: readonly MatrixTraining[] }) {
  const cells = new Map(person.cells.map((cell) => [cell.trainingId, cell]))
  return (
    <tr className="break-inside-avoid border-b border-line">
      <th scope="row" className="p-1 text-start font-medium wrap-anywhere">
        <bdi>{person.name}</bdi>
        {person.number !== null && (
          <span className="block font-normal text-ink-faint">
            <bdi>{person.number}</bdi>
          </span>
        )}
      </th>
      {trainings.map(({ id }) => (
        <td key={id} className="p-0.5">
          <Sign cell={cells.get(id)} />
        </td>
      ))}
    </tr>
  )
}

function Sign({ cell }: { cell: MatrixCell | undefined }) {
  if (cell === undefined || cell.state === 'not_assigned') return null
  const { icon: Icon, tone } = STATE_SIGNS[cell.state]
  const date = dateOf(cell)
  return (
    <span className={clsx('flex items-center gap-1 rounded-chip p-1', tone)}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {date !== null && <span className="tabular-nums">{formatDate(date)}</span>}
    </span>
  )
}
