import { formatTime } from '#web/lib/format-time.ts'

interface Line {
  start: number
  text: string
}

/** Writes the transcript as text, a line per segment with its start time. */
export function writeTimedText(lines: readonly Line[]): string {
  return lines.map(({ start, text }) => `${formatTime(start)}  ${text.trim()}\n`).join('')
}

/** The same without times, to be read. */
export function writePlainText(lines: readonly Line[]): string {
  return lines.map(({ text }) => `${text.trim()}\n`).join('')
}

/** Systems take 255 bytes, and a letter may be three. */
const NAME_MAX_CHARS = 80

/** A name that every system takes for a file. */
export function nameFile(title: string, extension: string): string {
  const plain = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  return `${plain.slice(0, NAME_MAX_CHARS).toWellFormed() || 'transcript'}.${extension}`
}
