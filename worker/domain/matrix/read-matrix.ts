import { z } from 'zod'
import {
  MATRIX_PEOPLE,
  MATRIX_TRAININGS_MAX,
  type MatrixAnswer,
  type MatrixCell,
  type MatrixRequest,
  type MatrixTraining,
} from '#contract/records/matrix.ts'
import { dateIn } from '#contract/records/training-state.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import {
  type CellRow,
  countStates,
  listCells,
  listGroupNames,
  listShownPeople,
  type MatrixScope,
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
  const [page, counts, groups] = await Promise.all([
    readPeople(d1, scope, isFirst ? null : readCursor(after)),
    isFirst ? countStates(d1, scope) : [],
    isFirst ? listGroupNames(d1, orgId) : [],
  ])
  const all = toTrainings(counts)
  const trainings = all.slice(0, MATRIX_TRAININGS_MAX)
  return { success: true, trainings, isCut: all.length > trainings.length, ...page, groups }
}

/** The next people with their cells. */
async function readPeople(
  d1: D1Database,
  scope: MatrixScope,
  after: PersonAt | null,
): Promise<Pick<MatrixAnswer, 'people' | 'next'>> {
  const rows = await listShownPeople(d1, scope, after)
  const people = rows.slice(0, MATRIX_PEOPLE)
  const ids = people.map(({ id }) => id)
  const cellsOf = await listCells(d1, scope, ids)
  const last = people.at(-1)
  return {
    people: people.map((person) => ({
      ...person,
      cells: (cellsOf.get(person.id) ?? []).map((cell) => toCell(cell, scope.nowMs)),
    })),
    next: rows.length > people.length && last !== undefined ? writeCursor(last) : null,
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

function toCell([trainingId, state, doneAt, version, timeline]: CellRow, nowMs: number): MatrixCell {
  const dueMs = dateIn(timeline, nowMs)
  return {
    trainingId,
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
