import type { ScreenBlock } from '#contract/screen.ts'
import type { Step } from '#contract/step.ts'
import type { TimeRange } from './step-commands.ts'

/** A text that is read aloud in the place of an image has a few words. */
const LINES_MAX = 3
const CHARS_MAX = 150

/**
 * Says what the image of a step shows by the largest lines that are visible at its moment, from the top. An image that
 * no person has chosen is from the first third of its step, so what is visible in the middle of that counts.
 * @returns empty text where nothing is
 */
export function describeImage(
  blocks: readonly ScreenBlock[],
  { startMs, endMs, imageAt }: TimeRange & Partial<Pick<Step, 'imageAt'>>,
): string {
  if (imageAt === 'none') return ''
  const atMs = typeof imageAt === 'number' ? imageAt * 1_000 : startMs + (endMs - startMs) / 6
  const visible = blocks.filter((block) => block.startMs <= atMs && block.endMs >= atMs)
  const largest = visible.toSorted((a, b) => b.box.height - a.box.height || a.box.y - b.box.y).slice(0, LINES_MAX)
  const lines = new Set(largest.toSorted((a, b) => a.box.y - b.box.y).map(({ text }) => text))
  const fitting: string[] = []
  for (const line of lines) if ([...fitting, line].join(', ').length <= CHARS_MAX) fitting.push(line)
  return fitting.join(', ')
}
