import Papa from 'papaparse'
import type { MatrixPerson, MatrixTraining } from '#contract/records/matrix.ts'
import * as m from '#messages'
import { sayState } from './state-signs.ts'

/** By it spreadsheets know that a text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Writes the matrix as a table for spreadsheets (RFC 4180), which takes no text for a formula (CWE-1236). */
export function writeCsv(trainings: readonly MatrixTraining[], people: readonly MatrixPerson[]): string {
  const head = [m.matrix_person(), '#', ...trainings.map(({ title }) => title)]
  const rows = people.map(({ name, number, cells }) => {
    const states = new Map(cells.map((cell) => [cell.trainingId, sayState(cell)]))
    return [name, number ?? '', ...trainings.map(({ id }) => states.get(id) ?? '')]
  })
  return `${BYTE_ORDER_MARK}${Papa.unparse([head, ...rows], { quotes: true, escapeFormulae: true })}\r\n`
}
