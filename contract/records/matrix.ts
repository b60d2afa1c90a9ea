import { z } from 'zod'
import { Success } from '../problem.ts'
import { TrainingState } from './training-state.ts'

/** People of one page of the matrix. */
export const MATRIX_PEOPLE = 50
/** Columns of the matrix; a collection shows others. */
export const MATRIX_TRAININGS_MAX = 200

const Id = z.string().min(1).max(64)

/** What stands behind `GET /api/matrix?`. */
export const MatrixRequest = z.object({
  group: Id.optional(),
  collection: Id.optional(),
  /** Only people who have it in one of the trainings. */
  state: TrainingState.optional(),
  /** `next` of the page before. */
  after: z.string().max(1_000).optional(),
})
export type MatrixRequest = z.infer<typeof MatrixRequest>

/** A column of the matrix. */
export const MatrixTraining = z.object({
  id: z.string(),
  title: z.string(),
  /** People of the chosen group by their state. */
  counts: z.partialRecord(TrainingState, z.number().int()),
})
export type MatrixTraining = z.infer<typeof MatrixTraining>

/** One person and one training. */
export const MatrixCell = z.object({
  trainingId: z.string(),
  state: TrainingState,
  /** When it was done, ISO 8601 in UTC, and in which version; left out where it never was. */
  doneAt: z.string().optional(),
  version: z.number().int().optional(),
  /** By when it is to be done, or done again; left out without a date. */
  dueAt: z.string().optional(),
})
export type MatrixCell = z.infer<typeof MatrixCell>

/** A row of the matrix. */
export const MatrixPerson = z.object({
  id: z.string(),
  name: z.string(),
  number: z.string().nullable(),
  /** Of the trainings that the records of this person are about. */
  cells: z.array(MatrixCell),
})
export type MatrixPerson = z.infer<typeof MatrixPerson>

/**
 * Answer of `GET /api/matrix`, for those who manage the active organization or sign off for it, and for programs with
 * its key.
 */
export const MatrixAnswer = Success.extend({
  /** The columns of all pages; none behind the first page. */
  trainings: z.array(MatrixTraining),
  /** Whether there are more trainings than are shown. */
  isCut: z.boolean(),
  people: z.array(MatrixPerson),
  /** Names the next page; null behind the last one. */
  next: z.string().nullable(),
  /** None behind the first page. */
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type MatrixAnswer = z.infer<typeof MatrixAnswer>
