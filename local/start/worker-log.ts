import { stripVTControlCharacters } from 'node:util'
import type { LogFile } from './log-file.ts'

// wrangler marks an error's first line; an error that the worker logs goes on until an empty line or the next mark.
const ERROR_MARK = /^.?\s*\[ERROR\]\s*/
const MARK = /^\S?\s*\[(wrangler|WARNING)/
// The message and the top of the stack; the log has all of it.
const MOST_LINES = 6

/** Keeps every line that the worker prints in the log, and shows its errors, shortened, to who runs it. */
export function withErrorsShown(log: LogFile, show: (line: string) => void): (line: string) => void {
  let linesLeft = 0
  return (printed) => {
    const line = stripVTControlCharacters(printed)
    log.write(line)
    if (ERROR_MARK.test(line)) {
      linesLeft = MOST_LINES
      show(`Worker: ${line.replace(ERROR_MARK, '')}`)
    } else if (MARK.test(line)) {
      linesLeft = 0
    } else if (linesLeft > 0 && line.trim() !== '') {
      linesLeft -= 1
      show(`  ${line.trim()}`)
    }
  }
}
