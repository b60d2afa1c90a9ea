/** Programs that show tables run what begins so as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** Writes one row of a table. Text that a spreadsheet would run as a formula is written as text. @see RFC 4180 */
export function writeCsvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const words = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(words) ? `"${words.replaceAll('"', '""')}"` : words
}
