import type { ScreenBlock } from '#contract/screen.ts'
import { screenSteps } from '#worker/domain/screen/screen-steps.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { StepToStore } from '#worker/domain/step/tidy-section.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import { predictSteps } from '../steps/predict-steps.ts'
import type { ShownCommand } from './measure.ts'

/** The steps of a video with captions in English, with what its screen shows in them. */
export async function writeScreened(
  captions: string,
  { readMs, blocks }: { readMs: number; blocks: ScreenBlock[] },
): Promise<StepToStore[]> {
  const segments = segmentsFromCues(parseCaptions(captions).cues).map(({ startMs, endMs, text }) => {
    return { start: startMs / 1_000, end: endMs / 1_000, text }
  })
  const recording = { id: 'a', title: '', group: 'a', durationS: readMs / 1_000, segments, chapters: [] }
  const { listed } = await predictSteps(recording, extractiveStepWriter, 'captions')
  return screenSteps(listed, { readMs, isDone: true, secrets: [], blocks })
}

/** Counts the commands that stand, to the character, in the step that is under way while the video shows them. */
export function countInSteps(
  shown: readonly ShownCommand[],
  steps: readonly Pick<StepToStore, 'startMs' | 'commands'>[],
): number {
  const inTime = steps.toSorted((a, b) => a.startMs - b.startMs)
  return shown.filter(({ text, fromMs, untilMs }) => {
    const first = Math.max(
      0,
      inTime.findLastIndex(({ startMs }) => startMs <= fromMs),
    )
    const during = inTime.filter(({ startMs }, index) => index >= first && startMs <= untilMs)
    return during.some(({ commands }) => commands.some((command) => command.text === text))
  }).length
}
