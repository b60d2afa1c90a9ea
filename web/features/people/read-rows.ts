import Papa from 'papaparse'
import { ImportRow, PersonEmail } from '#contract/team/people.ts'

/** What is wrong with a row, which is left out. */
export type RowProblem =
  | { kind: 'noName'; row: number }
  | { kind: 'noAddress'; row: number }
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

/** Heading of a column of e-mail addresses, in those languages. */
const EMAIL_HEADING = /mail|correo|courriel|e-posta|邮箱/i

/**
 * Reads rows as spreadsheets write and copy them: name, number, groups with semicolons or in cells of their own. A column
 * of e-mail addresses may stand anywhere, and is left out of the others in each row.
 * Rows are counted from 1, as in the spreadsheet.
 */
export function readRows(text: string): ReadRows {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter: findDelimiter(text) })
  const table = data.map((cells) => cells.map((cell) => cell.trim()))
  const [firstRow = []] = table
  const isHeaded = HEADINGS.has(firstRow.find((cell) => !EMAIL_HEADING.test(cell))?.toLowerCase() ?? '')
  const emailColumns = findEmailColumns(isHeaded ? firstRow : [], isHeaded ? table.slice(1) : table)
  const rows: ImportRow[] = []
  const problems: RowProblem[] = []
  const seen = new Map<string, number>()
  for (const [index, cells] of table.entries()) {
    const row = index + 1
    if (cells.every((cell) => cell === '') || (index === 0 && isHeaded)) continue
    const { emails, others } = splitCells(cells, emailColumns)
    const [name = '', number = '', ...groups] = others
    if (name === '') {
      problems.push({ kind: 'noName', row })
      continue
    }
    if (!emails.every(isAddress)) {
      problems.push({ kind: 'noAddress', row })
      continue
    }
    const named = groups.flatMap((cell) => cell.split(';')).map((group) => group.trim())
    const read = ImportRow.safeParse({
      name,
      number: number === '' ? null : number,
      email: emails[0] ?? null,
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

const isAddress = (cell: string) => PersonEmail.safeParse(cell).success

/** Columns with such a heading, and those with an "@" in most of their filled cells. */
function findEmailColumns(headings: readonly string[], rows: readonly string[][]): ReadonlySet<number> {
  const balances = new Map<number, number>()
  for (const cells of rows)
    for (const [column, cell] of cells.entries())
      if (cell !== '') balances.set(column, (balances.get(column) ?? 0) + (cell.includes('@') ? 1 : -1))
  const columns = new Set([...balances].filter(([, balance]) => balance > 0).map(([column]) => column))
  for (const [column, heading] of headings.entries()) if (EMAIL_HEADING.test(heading)) columns.add(column)
  return columns
}

/** Splits a row into e-mail addresses and other cells. Rows of many groups may have their address in another column. */
function splitCells(cells: readonly string[], emailColumns: ReadonlySet<number>) {
  const hasAddress = cells.some(isAddress)
  const isEmail = (cell: string, column: number) =>
    cell.includes('@') || (emailColumns.has(column) && (cell === '' || !hasAddress))
  return {
    emails: cells.filter((cell, column) => cell !== '' && isEmail(cell, column)),
    others: cells.filter((cell, column) => !isEmail(cell, column)),
  }
}

/** Spreadsheets copy with tabs; a file has what its first line has. Semicolons alone part cells, as in German files. */
function findDelimiter(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1)
  if (line.includes('\t')) return '\t'
  return line.includes(',') ? ',' : ';'
}
