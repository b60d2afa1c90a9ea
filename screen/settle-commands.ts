import type { ScreenKind } from '#contract/screen.ts'
import { cutMisread, cutPrompt, findPrompt } from './find-command.ts'
import type { Box } from './gray.ts'
import type { LineText } from './line-text.ts'
import { repairCommand } from './repair-command.ts'

/** A line of text that was read, and when it was there. */
interface ReadLine {
  box: Box
  startMs: number
  endMs: number
  text: LineText | null
  /** How often the same was read. */
  timesAlike: number
}

/** A line as it is stored: a command without its prompt. */
export interface SettledLine extends ReadLine {
  text: LineText
  /** Null where the text tells. */
  kind: ScreenKind | null
}

/** Frames are half a second to a second apart. */
const NEXT_WITHIN_MS = 1_600

/**
 * Leaves of each command that is typed its last form, without its prompt. What a terminal shows again, after another
 * window or a scroll, was typed once.
 */
export function settleCommands(lines: readonly ReadLine[]): SettledLine[] {
  const read = lines.flatMap((line) => (line.text === null ? [] : [{ ...line, text: line.text }]))
  const known = new Set(read.flatMap(({ text }) => findPrompt(text.text) ?? []))
  const commandOf = ({ text }: { text: LineText }) => {
    const misread = () => [...known].map((prompt) => cutMisread(text.text, prompt)).find((each) => each !== null)
    return cutPrompt(text.text) ?? misread() ?? null
  }
  const prompts = read
    .flatMap((line): Prompt[] => {
      const command = commandOf(line)
      return command === null ? [] : [{ ...line, command: repairCommand(command) }]
    })
    .toSorted((a, b) => a.startMs - b.startMs)
  const commands: SettledLine[] = []
  for (const line of prompts) {
    const next = prompts.find((other) => other !== line && follows(line, other))
    if (line.command === '' || (next !== undefined && isTyping(line.command, next.command))) continue
    const isTyped = prompts.some((other) => other !== line && follows(other, line))
    const earlier = commands.find(({ text }) => text.text === line.command)
    if (earlier !== undefined && !isTyped) continue
    // A prompt is shown many times, and read badly as often: it says nothing about what is typed behind it.
    const confidences = line.text.confidences.slice(-line.command.length)
    commands.push({ ...line, kind: 'command', text: { text: line.command, confidences } })
  }
  const others = read.filter((line) => commandOf(line) === null).map((line) => ({ ...line, kind: null }))
  return [...commands, ...others]
}

interface Prompt extends ReadLine {
  text: LineText
  command: string
}

/** Whether the other line takes the place of one, as a line does to which letters are added. */
function follows(line: Prompt, other: Prompt): boolean {
  const isNext = other.startMs > line.startMs && other.startMs - line.endMs <= NEXT_WITHIN_MS
  const reach = Math.max(line.box.height, other.box.height)
  const isThere = Math.abs(line.box.y - other.box.y) < 0.5 * reach && Math.abs(line.box.x - other.box.x) < reach
  return isNext && isThere
}

/** Whether one form becomes the next by typing or deleting, misreadings aside. */
function isTyping(one: string, next: string): boolean {
  const length = Math.min(one.length, next.length)
  if (length === 0) return false
  let different = 0
  for (let index = 0; index < length; index++) if (one[index] !== next[index]) different++
  return different <= Math.max(1, length / 5)
}
