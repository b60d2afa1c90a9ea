import type { ScreenBlock } from '#contract/screen.ts'

/** The fewest letters to change so that one text stands somewhere in another (Sellers 1980). */
export function errorsIn(text: string, within: string): number {
  const wanted = Array.from(text)
  let before = Array.from({ length: Array.from(within).length + 1 }, () => 0)
  const found = Array.from(within)
  for (const [index, letter] of wanted.entries()) {
    const row = [index + 1]
    for (const [at, other] of found.entries()) {
      const replaced = (before[at] ?? 0) + (letter === other ? 0 : 1)
      row.push(Math.min((before[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1, replaced))
    }
    before = row
  }
  return Math.min(...before)
}

/** A line as it is compared: columns of a table are lines of their own, and indentation is no text. */
export function comparableLines(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.trim().split(/\s{3,}/))
    .map((line) => line.replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '')
}

/** Counts the letters of true lines, and those of them that were not read; a line that was missed counts whole. */
export function countErrors(lines: readonly string[], read: readonly string[]): { letters: number; errors: number } {
  let [letters, errors] = [0, 0]
  for (const line of comparableLines(lines)) {
    const { length } = line
    letters += length
    errors += Math.min(length, ...read.map((each) => errorsIn(line, each)))
  }
  return { letters, errors }
}

/** A command that a video shows complete for a while. */
export interface ShownCommand {
  text: string
  fromMs: number
  untilMs: number
}

/** Frames are sampled and commands noted at about this distance. */
const TOLERANCE_MS = 2_000

/** Counts the commands that were read exactly at their time, and the blocks that are no command of the video. */
export function countCommands(shown: readonly ShownCommand[], blocks: readonly ScreenBlock[]) {
  const commands = blocks.filter(({ kind }) => kind === 'command')
  const isAt = ({ fromMs, untilMs }: ShownCommand, { startMs, endMs }: ScreenBlock) =>
    startMs <= untilMs + TOLERANCE_MS && endMs >= fromMs - TOLERANCE_MS && startMs >= fromMs - TOLERANCE_MS
  const missed = shown.filter((each) => !commands.some((block) => block.text === each.text && isAt(each, block)))
  const wrong = commands.filter((block) => !shown.some((each) => each.text === block.text))
  return { shown: shown.length, exact: shown.length - missed.length, blocks: commands.length, missed, wrong }
}
