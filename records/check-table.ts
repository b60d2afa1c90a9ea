import type { NamedTraining } from '#contract/records/named-in-record.ts'
import type { RecordKind } from '#contract/records/training-record.ts'
import { type Cell, readCsvCells, writeCsvLine } from './csv.ts'
import { EXPORT_FILES, readRecord, readRecordLine } from './export-files.ts'
import type { Finding } from './findings.ts'
import { DETAILS_CELL, HEAD_LINE, KIND_CELL, listRecordRows, type NameOf, TITLE_CELL } from './record-table.ts'

interface TableDeps {
  nameOf: NameOf
  /** Null where no record says it: the title of a training without a version is that of the day of the export. */
  titleOf: (training: NamedTraining) => Promise<string | null>
  report: (finding: Finding) => void
}

/**
 * Checks that the table for spreadsheets says what the records say.
 * @param lines of the table and of the records, without their ends
 */
export async function checkTable(
  { table, records }: { table: AsyncIterable<string>; records: AsyncIterable<string> },
  { nameOf, titleOf, report }: TableDeps,
): Promise<void> {
  const rows = joinRows(table)
  const take = async () => ((await rows.next()).value as string | undefined) ?? null
  const title = async (training: NamedTraining) => (await titleOf(training)) ?? UNKNOWN
  let isComplete = (await take()) === HEAD_LINE
  for await (const line of records) {
    const written = readRecordLine(line)
    const record = written && readRecord(written.text)
    if (!isComplete || record === null || written === null) continue
    for (const cells of await listRecordRows(record, {
      hash: written.hash,
      nameOf,
      titleOf: title,
      showsEffort: true,
    })) {
      const row = await take()
      if (row !== null && saysSame(row, cells)) continue
      report({ code: 'table_changed', seq: record.seq })
      // What comes after a row that is gone would be compared with the wrong one.
      isComplete = row !== null && readCsvCells(row)[0] === String(record.seq)
      if (!isComplete) return
    }
  }
  if (!isComplete || (await take()) !== null) report({ code: 'file_changed', file: EXPORT_FILES.table })
}

const UNKNOWN = '\0'

function saysSame(row: string, cells: readonly Cell[]): boolean {
  const shown = readCsvCells(row)
  const titled = cells[TITLE_CELL] === UNKNOWN ? cells.with(TITLE_CELL, shown[TITLE_CELL] ?? '') : cells
  // Seconds and attempts are left out unless the organization shows them.
  const isReached = cells[KIND_CELL] === ('reached' satisfies RecordKind)
  const hasNone = isReached && shown[DETAILS_CELL] === ''
  return row === writeCsvLine(hasNone ? titled.with(DETAILS_CELL, '') : titled)
}

/** Lines that belong to one row: a text between quotes may go over several. */
async function* joinRows(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let row = ''
  for await (const line of lines) {
    row += `${line}\n`
    if (row.split('"').length % 2 === 0) continue
    yield row
    row = ''
  }
  if (row !== '') yield row
}
