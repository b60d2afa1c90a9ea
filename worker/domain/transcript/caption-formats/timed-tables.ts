import type { CaptionFile, RawCue } from './raw-cue.ts'
import { readTime } from './read-times.ts'

/** How columns are called, in lower case. */
const COLUMNS = {
  start: /^"?(?:start(?:[ _-]?time)?|in|begin|timecode in|start \(s\))"?$/,
  end: /^"?(?:end(?:[ _-]?time)?|out|timecode out|end \(s\))"?$/,
  text: /^"?(?:text|transcript|caption|subtitle|content|transcription)"?$/,
  speaker: /^"?(?:speaker|speaker name|name)"?$/,
} as const
const SEPARATORS = ['\t', ',', ';'] as const
const WHOLE = /^-?\d{1,12}$/
const SECONDS = /^-?\d{1,8}(?:\.\d{1,9})?$/
/** Columns of a table; what follows is text. */
const COLUMNS_MAX = 20

interface Table {
  separator: (typeof SEPARATORS)[number]
  start: number
  end: number
  text: number
  speaker: number
  columns: number
}

function readHead(line: string): Table | null {
  if (line.length > 300) return null
  for (const separator of SEPARATORS) {
    const names = line.toLowerCase().split(separator)
    const find = (column: keyof typeof COLUMNS) => names.findIndex((name) => COLUMNS[column].test(name.trim()))
    const [start, end, text] = [find('start'), find('end'), find('text')]
    if (start !== -1 && end !== -1 && text !== -1 && names.length <= COLUMNS_MAX)
      return { separator, start, end, text, speaker: find('speaker'), columns: names.length }
  }
  return null
}

function findHead({ lines }: CaptionFile): Table | null {
  return readHead(lines.find((line) => line !== '') ?? '')
}

/** Whether a file is a table with a column of starts, of ends and of text, as Whisper and spreadsheets write it. */
export function isTimedTable(file: CaptionFile): boolean {
  return findHead(file) !== null
}

/** Cuts a row; a value in quotes may have separators, and quotes that are written twice. */
function readRow(line: string, { separator, columns, text }: Table): string[] {
  const values: string[] = []
  let rest = line
  while (values.length < columns - 1) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    const isQuoted =
      quoted !== null && (rest.length === quoted[0].length || rest.startsWith(separator, quoted[0].length))
    const end = isQuoted ? quoted[0].length : rest.indexOf(separator)
    if (end === -1 || end >= rest.length) break
    values.push(isQuoted ? (quoted[1] ?? '') : rest.slice(0, end))
    rest = rest.slice(end + 1)
  }
  // Text without quotes may have separators where it stands last.
  const isLast = text === columns - 1
  values.push(isLast ? rest.trim().replace(/^"([^]*)"$/, '$1') : rest)
  return values.map((value) => value.replaceAll('""', '"').trim())
}

/** Reads such a table. Whole numbers throughout are milliseconds. */
export function readTimedTable(file: CaptionFile): RawCue[] {
  const table = findHead(file)
  if (table === null) return []
  const first = file.lines.findIndex((line) => line !== '')
  const rows = file.lines.flatMap((line, lineIndex) =>
    line === '' || lineIndex <= first ? [] : [{ lineIndex, values: readRow(line, table) }],
  )
  const isInMs = rows.every(({ values }) => [table.start, table.end].every((at) => WHOLE.test(values[at] ?? '0')))
  const msOf = (value = '') => {
    if (isInMs) return WHOLE.test(value) ? Number(value) : null
    return SECONDS.test(value) ? Math.round(Number(value) * 1_000) : readTime(value, 25)
  }
  return rows.flatMap(({ lineIndex, values }) => {
    const [startMs, endMs] = [msOf(values[table.start]), msOf(values[table.end])]
    const speaker = values[table.speaker] ?? ''
    if (startMs === null) file.log.note(lineIndex, 'left_out')
    if (startMs === null) return []
    return [{ lineIndex, startMs, endMs, lines: [values[table.text] ?? ''], ...(speaker !== '' && { speaker }) }]
  })
}
