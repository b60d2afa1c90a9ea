import Papa from 'papaparse'
import { ImportRow, PersonEmail } from '#contract/team/people.ts'

/** What is wrong with a row, which is left out. */
export type RowProblem =
  | { kind: 'noName'; row: number }
  | { kind: 'tooLong'; row: number }
  | { kind: 'twice'; row: number; first: number }

/** A list of people as it would be imported. */
export interface ReadRows {
  rows: ImportRow[]
  problems: RowProblem[]
}

/** First cells of a row of headings, in the languages of the page and as staff lists have them. */
const HEADINGS = new Set([
  'name',
  'names',
  'employee',
  'person',
  'nombre',
  'nom',
  'imię i nazwisko',
  'ad',
  'nome',
  '姓名',
])

/**
 * Reads rows as spreadsheets write and copy them: name, number, groups with semicolons or in cells of their own. The first
 * cell with an e-mail address is that of the person, wherever it stands.
 * Rows are counted from 1, as in the spreadsheet.
 */
export function readRows(text: string): ReadRows {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter: findDelimiter(text) })
  const rows: ImportRow[] = []
  const problems: RowProblem[] = []
  const seen = new Map<string, number>()
  for (const [index, cells] of data.entries()) {
    const row = index + 1
    const trimmed = cells.map((cell) => cell.trim())
    const emailAt = trimmed.findIndex((cell) => PersonEmail.safeParse(cell).success)
    const [name = '', number = '', ...groups] = trimmed.filter((_, at) => at !== emailAt)
    const isEmpty = cells.every((cell) => cell.trim() === '')
    if (isEmpty || (index === 0 && HEADINGS.has(name.toLowerCase()))) continue
    if (name === '') {
      problems.push({ kind: 'noName', row })
      continue
    }
    const named = groups.flatMap((cell) => cell.split(';')).map((group) => group.trim())
    const read = ImportRow.safeParse({
      name,
      number: number === '' ? null : number,
      email: trimmed[emailAt] ?? null,
      groups: [...new Set(named.filter((group) => group !== ''))],
    })
    if (!read.success) {
      problems.push({ kind: 'tooLong', row })
      continue
    }
    const key = JSON.stringify(read.data.number ?? [read.data.name])
    const first = seen.get(key)
    if (first !== undefined) problems.push({ kind: 'twice', row, first })
    else {
      seen.set(key, row)
      rows.push(read.data)
    }
  }
  return { rows, problems }
}

/** Spreadsheets copy with tabs; a file has what its first line has. Semicolons alone part cells, as in German files. */
function findDelimiter(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  if (line.includes('\t')) return '\t'
  return line.includes(',') ? ',' : ';'
}
