import { z } from 'zod'
import {
  MATRIX_PEOPLE,
  MATRIX_TRAININGS_MAX,
  type MatrixAnswer,
  type MatrixCell,
  type MatrixRequest,
  type MatrixTraining,
} from '#contract/records/matrix.ts'
import { dateIn, type StateFrom } from '#contract/records/training-state.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import {
  type CellRow,
  countStates,
  listCells,
  listGroupNames,
  listShownPeople,
  type PersonAt,
  type StateCount,
} from './matrix-store.ts'

/** Reads a page of people × trainings, the first one with the sums of all people. @throws {AppError} invalid_request */
export async function readMatrix(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  { after, ...filters }: MatrixRequest,
): Promise<MatrixAnswer> {
  const scope = { ...filters, orgId, nowMs: nowMs() }
  // They are the same on all pages, and counting takes all people.
  const isFirst = after === undefined
  const [counts, rows, groups] = await Promise.all([
    isFirst ? countStates(d1, scope) : [],
    listShownPeople(d1, scope, isFirst ? null : readCursor(after)),
    isFirst ? listGroupNames(d1, orgId) : [],
  ])
  const all = toTrainings(counts)
  const trainings = all.slice(0, MATRIX_TRAININGS_MAX)
  const people = rows.slice(0, MATRIX_PEOPLE)
  const cells = await listCells(
    d1,
    scope,
    people.map(({ id }) => id),
  )
  const cellsOf = Map.groupBy(cells, ({ personId }) => personId)
  const last = people.at(-1)
  return {
    success: true,
    trainings,
    isCut: all.length > trainings.length,
    people: people.map((person) => ({
      ...person,
      cells: (cellsOf.get(person.id) ?? []).map((cell) => toCell(cell, scope.nowMs)),
    })),
    next: rows.length > people.length && last !== undefined ? writeCursor(last) : null,
    groups,
  }
}

/** The counts of one training come one after the other. */
function toTrainings(counts: readonly StateCount[]): MatrixTraining[] {
  const trainings = new Map<string, MatrixTraining>()
  for (const { moduleId: id, title, state, people } of counts) {
    const training = trainings.get(id) ?? { id, title, counts: {} }
    training.counts[state] = people
    trainings.set(id, training)
  }
  return [...trainings.values()]
}

function toCell({ moduleId, state, doneAt, version, timeline }: CellRow, nowMs: number): MatrixCell {
  const dueMs = dateIn(JSON.parse(timeline) as StateFrom[], nowMs)
  return {
    trainingId: moduleId,
    state,
    ...(doneAt !== null && { doneAt }),
    ...(version !== null && { version }),
    ...(dueMs !== null && { dueAt: toIso(dueMs) }),
  }
}

const Cursor = z.tuple([z.string(), z.string()])

function writeCursor({ name, id }: PersonAt): string {
  return JSON.stringify([name, id])
}

function readCursor(text: string): PersonAt {
  try {
    const [name, id] = Cursor.parse(JSON.parse(text))
    return { name, id }
  } catch (cause) {
    throw new AppError('invalid_request', 'after: Take it from the page before.', { cause })
  }
}
