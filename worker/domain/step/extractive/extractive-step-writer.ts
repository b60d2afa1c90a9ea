import type { StepDraft, StepWindow, StepWriter } from '#worker/ports/step-writer.ts'
import { learnRarity } from './cohesion.ts'
import { cutSection } from './cut-section.ts'
import { describeStep } from './describe-step.ts'
import { proposeTitles } from './name-step.ts'
import { learnTopic } from './word-values.ts'

/**
 * Writes steps from nothing but the transcript: the offline engine, and the degraded mode when a hosted model fails.
 * Every word of its titles and descriptions comes from the recording, except "Understand" and "the" for "my".
 */
export const extractiveStepWriter: StepWriter = {
  name: 'extractive',
  async writeSteps(window: StepWindow, signal: AbortSignal): Promise<StepDraft[]> {
    signal.throwIfAborted()
    return writeExtractiveSteps(window)
  },
}

/** The same, without a port around it: pure, and quick enough for an hour of speech in one go. */
export function writeExtractiveSteps(window: StepWindow): StepDraft[] {
  const { spans, continues, takenOver, whole } = cutSection(window)
  const topic = learnTopic(whole, learnRarity(whole), window.moduleTitle)
  const taken = new Set<string>()
  return spans.map((span, index) => {
    const titles = proposeTitles(span.sentences, topic)
    const title = titles.find((proposed) => !taken.has(proposed.toLowerCase())) ?? titles[0] ?? ''
    taken.add(title.toLowerCase())
    const segmentIds = [...(index === 0 ? takenOver : []), ...span.segments].map((segment) => segment.id)
    const draft = { segmentIds, title, description: describeStep(span.sentences) }
    return index === 0 && continues ? { ...draft, continues, namesWhole: true } : draft
  })
}
