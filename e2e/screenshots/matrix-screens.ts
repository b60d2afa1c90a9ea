import type { Page } from '@playwright/test'
import type { MatrixAnswer, MatrixCell } from '#contract/records/matrix.ts'
import type { SignOffAnswer } from '#contract/records/sign-off.ts'
import { TrainingState } from '#contract/records/training-state.ts'
import { makeStep } from '#contract/testing/examples.ts'
import { SEEDED_ADMIN, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { signInByCall, workIn } from '../people.ts'
import { go, type Screen } from './screen.ts'

const AT = '2026-11-21T12:00:00.000Z'
const TITLES = [
  'Change the filter',
  'Druckausgleichsbehälteranschlussverschraubung prüfen und nachziehen',
  'سلامة الرافعة الشوكية',
  'Lock out the press',
  'Fire drill',
]
const NAMES = ['Ana Cruz', 'Wolfeschlegelsteinhausenbergerdorff, Hubert Blaine', 'محمد عبد الرحمن', 'Kim Lee', '王小明']

/** Cells in every state. */
function makeCells(row: number, trainings: number): MatrixCell[] {
  return Array.from({ length: trainings }, (_, place) => {
    const state = TrainingState.options[(row * 2 + place) % TrainingState.options.length] ?? 'assigned'
    return { trainingId: `t${place}`, state, version: 1, doneAt: AT, ...(state !== 'in_progress' && { dueAt: AT }) }
  })
}

function makeMatrix({ people, trainings }: { people: number; trainings: number }): MatrixAnswer {
  const nameOf = (row: number) => NAMES[row] ?? `Person ${String(row + 1).padStart(3, '0')}`
  return {
    success: true,
    trainings: Array.from({ length: trainings }, (_, place) => {
      const title = TITLES[place] ?? `Training ${place + 1}`
      return { id: `t${place}`, title, counts: { done: 3 * place, overdue: place % 3, assigned: 4 } }
    }),
    isCut: false,
    people: Array.from({ length: people }, (_, row) => {
      return {
        id: `p${row}`,
        name: nameOf(row),
        number: row % 2 ? String(1000 + row) : null,
        cells: makeCells(row, trainings),
      }
    }),
    next: people > 50 ? 'n' : null,
    groups: [{ id: 'g', name: 'Line 3, night shift' }],
  }
}

const SIGN_OFF: SignOffAnswer = {
  success: true,
  person: { id: 'p0', name: 'Ana Cruz', number: null },
  title: 'Change the filter',
  version: { hash: 'a'.repeat(64), number: 2 },
  seq: 4,
  steps: ['Close the valve', 'Open the housing', 'Take the filter out'].map((title, index) =>
    makeStep(`s${index}`, index * 20, { title }),
  ),
  asked: ['s1', 's2'],
  rule: { reached: true, confirmed: true, signedOff: true },
  known: {
    reached: { seq: 2, time: AT, version: { hash: 'a'.repeat(64), number: 2 } },
    confirmed: null,
    signedOff: null,
    refusedSteps: ['s1'],
  },
  notes: { s1: 'Wear the gloves before you open it.' },
  isMe: false,
}

async function openMatrix(page: Page, matrix: MatrixAnswer): Promise<void> {
  await page.route(/\/api\/matrix(\?|$)/, (route) => route.fulfill({ json: matrix }))
  await page.route('**/api/sign-off/**', (route) => route.fulfill({ json: SIGN_OFF }))
  await signInByCall(page.request, { email: SEEDED_ADMIN.email, password: SEEDED_PASSWORD })
  await page.goto('/dashboard')
  await workIn(page, SEEDED_ORGANIZATION.name)
  await go(page, '/team/matrix', matrix.trainings.length === 0 ? 'Nothing is assigned yet' : 'Ana Cruz')
}

/** The matrix of a team, and how a supervisor signs off. */
export const MATRIX_SCREENS: readonly Screen[] = [
  {
    name: 'matrix',
    who: 'stranger',
    open: (page) => openMatrix(page, makeMatrix({ people: 7, trainings: 5 })),
  },
  {
    name: 'matrix-large',
    who: 'stranger',
    open: (page) => openMatrix(page, makeMatrix({ people: 51, trainings: 60 })),
    isWindow: true,
  },
  { name: 'matrix-empty', who: 'stranger', open: (page) => openMatrix(page, makeMatrix({ people: 0, trainings: 0 })) },
  {
    name: 'matrix-sign-off',
    who: 'stranger',
    open: async (page) => {
      await openMatrix(page, makeMatrix({ people: 7, trainings: 5 }))
      const row = page.getByText('Ana Cruz').first()
      await row.click()
      await page
        .getByRole('button', { name: /Lock out the press/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: 'Show again' }).first().click()
      await dialog.getByRole('textbox', { name: 'Your name' }).fill('Bo Boss')
    },
    isWindow: true,
  },
  {
    name: 'sign-off-scanned',
    who: 'stranger',
    open: async (page) => {
      await openMatrix(page, makeMatrix({ people: 7, trainings: 5 }))
      await go(page, '/team/sign-off/p0/t0', 'Sign off Ana Cruz')
    },
  },
]
