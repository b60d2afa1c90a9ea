import { STEP_RULES } from '#contract/limits.ts'
import type { ScreenReading } from '#contract/screen.ts'
import type { ScreenedTexts, Step } from '#contract/step.ts'
import { describeImage } from './describe-image.ts'
import { replaceHeard, type SaidRepair } from './repair-words.ts'
import { spellAsShown } from './spell-as-shown.ts'
import { listCommands, type TimeRange } from './step-commands.ts'
import { listLabels, type VisibleLabel } from './visible-labels.ts'

type Screened = TimeRange & ScreenedTexts & Partial<Pick<Step, 'imageAt' | 'imageText'>>

/**
 * Puts what the screen shows into steps, each what comes from its beginning until the next begins: what is typed while a
 * step goes on is part of it, also in a pause after its last word.
 * @param repairs what the screen has repaired in the transcript that the steps are written from
 */
export function screenSteps<Row extends Screened>(
  steps: readonly Row[],
  { blocks }: ScreenReading,
  repairs: readonly SaidRepair[] = [],
): Row[] {
  const starts = steps.map(({ startMs }) => startMs).toSorted((a, b) => a - b)
  return steps.map((step) => {
    const nextMs = starts.find((startMs) => startMs > step.startMs) ?? Number.POSITIVE_INFINITY
    // What is shown before the first step belongs to it.
    const range = { startMs: step.startMs === starts[0] ? 0 : step.startMs, endMs: nextMs }
    const labels = listLabels(blocks, range)
    const said = repairs.filter(({ startMs, endMs }) => startMs < step.endMs && endMs > step.startMs)
    const write = (text: string, maxChars: number) => {
      const repaired = replaceHeard(text, said)
      return spell(repaired.length <= maxChars ? repaired : text, labels, maxChars)
    }
    return {
      ...step,
      title: write(step.title, STEP_RULES.titleMaxChars),
      description: write(step.description, STEP_RULES.descriptionMaxChars),
      commands: listCommands(blocks, range),
      ...('imageText' in step && { imageText: describeImage(blocks, step) }),
    }
  })
}

/** A name that is longer on the screen, by its signs, does not make a text too long. */
function spell(text: string, labels: readonly VisibleLabel[], maxChars: number): string {
  const spelled = spellAsShown(text, labels)
  return spelled.length <= maxChars ? spelled : text
}
