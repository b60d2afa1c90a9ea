import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'

/** A log that stays small: it begins empty, and begins again when it is full. */
export interface LogFile {
  path: string
  write: (line: string) => void
  close(): void
}

// Some hours of requests; enough to find out what went wrong.
const LARGEST_LOG_BYTES = 5_000_000

/** Opens a log file and empties it. */
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
