import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** A log that stays small: it begins empty, and begins again when it is full. */
export interface LogFile {
  path: string
  write: (line: string) => void
  close(): void
}

// Some hours of requests; enough to find out what went wrong.
const LARGEST_LOG_BYTES = 5_000_000

export function openLogFile(path: string, largestBytes = LARGEST_LOG_BYTES): LogFile {
  const file = openSync(path, 'w')
  let sizeBytes = 0
  let isOpen = true
  return {
    path,
    write(line) {
      // A program's last words may come after the end of the run that logged it.
      if (!isOpen) return
      if (sizeBytes > largestBytes) {
        ftruncateSync(file)
        sizeBytes = writeSync(file, '(older lines were dropped)\n', 0)
      }
      sizeBytes += writeSync(file, `${line}\n`, sizeBytes)
    },
    close() {
      isOpen = false
      closeSync(file)
    },
  }
}

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
