import type { SaidSegment, StepDraft, StepWindow, StepWriter } from '#worker/ports/step-writer.ts'
import { learnRarity } from './cohesion.ts'
import { cutTranscript } from './cut-transcript.ts'
import { describeStep } from './describe-step.ts'
import { proposeTitles } from './name-step.ts'
import { learnTopic } from './word-values.ts'

/**
 * Writes steps from nothing but what was said: the offline engine, and the degraded mode when a hosted model fails.
 * Every word of its titles and descriptions comes from the recording, except "Understand" and "the" for "my".
 */
export const extractiveStepWriter: StepWriter = {
  name: 'extractive',
  async writeSteps(window: StepWindow, signal: AbortSignal): Promise<StepDraft[]> {
    signal.throwIfAborted()
    return writeExtractiveSteps(window.segments, window.moduleTitle)
  },
}

/** The same, without a port around it: pure, and quick enough for an hour of speech in one go. */
export function writeExtractiveSteps(segments: readonly SaidSegment[], moduleTitle: string): StepDraft[] {
  const spans = cutTranscript(segments)
  const sentences = spans.flatMap((span) => span.sentences)
  const topic = learnTopic(sentences, learnRarity(sentences), moduleTitle)
  const taken = new Set<string>()
  return spans.map((span) => {
    const titles = proposeTitles(span.sentences, topic)
    const title = titles.find((proposed) => !taken.has(proposed.toLowerCase())) ?? titles[0] ?? ''
    taken.add(title.toLowerCase())
    const segmentIds = span.segments.map((segment) => segment.id)
    return { segmentIds, title, description: describeStep(span.sentences) }
  })
}
