import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { planStretches } from '#worker/domain/step/plan-stretches.ts'
import { tidyStretch } from '#worker/domain/step/tidy-stretch.ts'
import type { SaidSegment, StepDraft, StepWriter } from '#worker/ports/step-writer.ts'
import { type GoldItem, type Mark, readSegments } from './chapters.ts'

/** What becomes of one recording. */
export interface Prediction {
  /** Where the writer lets steps begin, before long ones are split for the rules of length. */
  cut: Mark[]
  /** The steps that are stored. */
  stored: Mark[]
  /** The longest time that the writer took for one stretch. */
  slowestMs: number
}

/** How a narration is divided into stretches: as the product does, or not at all. */
export type Plan = (segments: SaidSegment[]) => SaidSegment[][]

/** What a writer sees of the time before its stretch (`StepWindow.before`). */
const BEFORE_MS = 30 * 60_000
/** A hosted model's slowest answer. */
const WRITER_TIMEOUT_MS = 300_000

/** Cuts and names one recording as the product does: planned, written stretch by stretch, tidied, composed. */
export async function predictSteps(
  item: GoldItem,
  writer: StepWriter,
  plan: Plan = planStretches,
): Promise<Prediction> {
  const segments = readSegments(item)
  const durationMs = item.durationS * 1_000
  const context = { moduleTitle: item.title, durationMs, language: 'en', glossary: null }
  const prediction: Prediction = { cut: [], stored: [], slowestMs: 0 }
  const stretches = []
  const said: SaidSegment[] = []
  for (const stretch of plan(segments)) {
    const fromMs = (stretch[0]?.startMs ?? 0) - BEFORE_MS
    const before = said.filter((segment) => segment.startMs >= fromMs)
    const startedMs = performance.now()
    const window = { ...context, before, segments: stretch }
    const drafts = await writer.writeSteps(window, AbortSignal.timeout(WRITER_TIMEOUT_MS))
    prediction.slowestMs = Math.max(prediction.slowestMs, performance.now() - startedMs)
    addMarks(prediction.cut, drafts, segments)
    stretches.push({ steps: tidyStretch({ drafts, before, segments: stretch, durationMs }), isDraft: false })
    said.push(...stretch)
  }
  const steps = composeSteps({ run: 1, durationMs, stretches, isComplete: true })
  prediction.stored = steps.map((step) => ({ start: step.startMs / 1_000, title: step.title }))
  return prediction
}

function addMarks(marks: Mark[], drafts: readonly StepDraft[], segments: readonly SaidSegment[]): void {
  for (const { segmentIds, title, continues } of drafts) {
    const last = marks.at(-1)
    if (continues === true && last !== undefined) {
      last.title = title
      continue
    }
    const first = segments.find((segment) => segment.id === segmentIds[0])
    marks.push({ start: (first?.startMs ?? 0) / 1_000, title })
  }
}
