import type { SaidSegment, StepDraft, StepWindow, StepWriter } from '#worker/ports/step-writer.ts'
import { extractiveStepWriter } from './extractive/extractive-step-writer.ts'
import type { StepToStore } from './step-row.ts'
import { tidySteps } from './tidy-steps.ts'
import { windowSegments } from './window-segments.ts'

interface Composition {
  run: number
  moduleTitle: string
  language: string | null
  glossary: string | null
  /** Null when the length of the video is unknown. */
  durationMs: number | null
  segments: SaidSegment[]
  signal: AbortSignal
  /** Hears after each window but the last how many of all are done: a long transcript takes many minutes. */
  onWindow?: (done: number, total: number) => Promise<void>
}

/**
 * Steps for a whole transcript, safe to store whatever the writer answers. A window whose writer fails is written by
 * the extractive engine and its steps are marked as drafts.
 * @returns steps in time order; empty only when nothing was said. Ids are the same for the same run and segments.
 */
export async function composeSteps(writer: StepWriter, from: Composition): Promise<StepToStore[]> {
  const { segments, moduleTitle, language, glossary } = from
  const drafts: StepDraft[] = []
  const draftedIds = new Set<string>()
  // The extractive engine reads hours at once, and finds its granularity from the recording as a whole.
  const windows = writer === extractiveStepWriter ? [segments] : windowSegments(segments)
  for (const [done, window] of windows.entries()) {
    if (done > 0) await from.onWindow?.(done, windows.length)
    const answer = await writeWindow(writer, { moduleTitle, language, glossary, segments: window }, from.signal)
    drafts.push(...answer.drafts)
    if (answer.isFallback) for (const segment of window) draftedIds.add(segment.id)
  }
  return tidySteps({ drafts, segments, durationMs: from.durationMs }).map((step) => ({
    id: `r${from.run}-${step.segmentIds[0] ?? Math.round(step.startMs)}`,
    title: step.title,
    description: step.description,
    startMs: Math.round(step.startMs),
    endMs: Math.round(step.endMs),
    aliases: [],
    notes: '',
    originalText: step.originalText,
    aiRewrite: null,
    segmentIds: step.segmentIds,
    isManual: false,
    isDraft: step.segmentIds.some((id) => draftedIds.has(id)),
    run: from.run,
    editedAt: null,
  }))
}

async function writeWindow(
  writer: StepWriter,
  window: StepWindow,
  signal: AbortSignal,
): Promise<{ drafts: StepDraft[]; isFallback: boolean }> {
  try {
    return { drafts: await writer.writeSteps(window, signal), isFallback: false }
  } catch (error) {
    if (writer === extractiveStepWriter || signal.aborted) throw error
    console.warn({ event: 'step_writer_failed', writer: writer.name, error: String(error) })
    return { drafts: await extractiveStepWriter.writeSteps(window, signal), isFallback: true }
  }
}
