/** Spreadsheets run a cell that begins like this as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** What stands in a cell of a table. */
export type Cell = string | number

/** Writes one row of a table. Text that a spreadsheet would run as a formula is written as text. @see RFC 4180 */
export function writeCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const words = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(words) ? `"${words.replaceAll('"', '""')}"` : words
}

const CELL = /"((?:[^"]|"")*)"|[^,\r\n]*/y

/** Reads the cells of one row. */
export function readCsvCells(row: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= row.length; at = CELL.lastIndex + 1) {
    CELL.lastIndex = at
    const [cell = '', quoted] = CELL.exec(row) ?? []
    cells.push(quoted === undefined ? cell : quoted.replaceAll('""', '"'))
    if (row[CELL.lastIndex] !== ',') break
  }
  return cells
}
