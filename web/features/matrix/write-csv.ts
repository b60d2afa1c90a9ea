import type { MatrixPerson, MatrixTraining } from '#contract/records/matrix.ts'
import * as m from '#messages'
import { sayState } from './state-signs.ts'

/** Spreadsheets take a text that begins so for a formula (CWE-1236). */
const FORMULA = /^[=+\-@\t\r]/

function quote(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

/** Writes the matrix as a table for spreadsheets (RFC 4180), which know by its first character that it is UTF-8. */
export function writeCsv(trainings: readonly MatrixTraining[], people: readonly MatrixPerson[]): string {
  const head = [m.matrix_person(), '#', ...trainings.map(({ title }) => title)]
  const rows = people.map(({ name, number, cells }) => {
    const states = new Map(cells.map((cell) => [cell.training, sayState(cell)]))
    return [name, number ?? '', ...trainings.map((_, place) => states.get(place) ?? '')]
  })
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(quote).join(',')}\r\n`).join('')}`
}
