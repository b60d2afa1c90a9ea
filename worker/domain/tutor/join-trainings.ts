import type { SaidSegment } from '#worker/ports/language-model.ts'
import { readAround, type ShownSegment, type TutorIndex } from './open-index.ts'
import { MAX_SEGMENT_CHARS, type PromptedVideo } from './prompts/answer-question.v4.ts'
import { rankPassages } from './rank-passages.ts'

/** A training that is read for a question. */
export interface ReadTraining {
  title: string
  /** What is said in it. */
  spoken: TutorIndex
  /** The same in the language of the question; the spoken one where there is no other. */
  searched: TutorIndex
}

/** Trainings as one video, as a model reads them. */
export interface JoinedTrainings {
  video: PromptedVideo
  /** What of them is shown; `part` says of which training each segment is. */
  shown: ShownSegment[]
  /** Where a segment is said. @returns null for none of these */
  find: (segmentId: string) => { part: number; startMs: number } | null
}

/** All trainings together have as much as a model is shown of one video. */
const SHOWN_MAX_CHARS = 16_000
/** Between two trainings, so that none seems to go on with the other. */
const PAUSE_MS = 60_000

/** Joins trainings one behind the other, each under its title, with the passages that come nearest to a question. */
export function joinTrainings(title: string, trainings: readonly ReadTraining[], question: string): JoinedTrainings {
  const steps: PromptedVideo['steps'][number][] = []
  const segments: SaidSegment[] = []
  const shown: ShownSegment[] = []
  const places = new Map<string, { part: number; startMs: number }>()
  let offsetMs = 0
  for (const [part, training] of trainings.entries()) {
    const { spoken } = training
    const chosen = new Set(chooseSaid(training, question, SHOWN_MAX_CHARS / trainings.length))
    const endMs = spoken.segments.at(-1)?.endMs ?? 0
    steps.push({ title: training.title, start: offsetMs / 1_000, end: (offsetMs + endMs) / 1_000 })
    for (const segment of spoken.segments) {
      const { text, startMs } = segment
      const moved = {
        id: `${part}:${segment.id}`,
        startMs: startMs + offsetMs,
        endMs: segment.endMs + offsetMs,
        text,
        part,
      }
      segments.push(moved)
      if (!chosen.has(segment)) continue
      shown.push(moved)
      places.set(moved.id, { part, startMs })
    }
    offsetMs += endMs + PAUSE_MS
  }
  return { video: { title, steps, segments }, shown, find: (segmentId) => places.get(segmentId) ?? null }
}

/** The segments of the best passages, until they are too many. */
function chooseSaid({ spoken, searched }: ReadTraining, question: string, maxChars: number): SaidSegment[] {
  const chosen = new Set<SaidSegment>()
  let chars = 0
  for (const passage of rankPassages(searched, { question }).passages) {
    const { startMs, endMs } = readAround(searched, passage)
    for (const segment of spoken.segments) {
      if (segment.endMs <= startMs || segment.startMs >= endMs || chosen.has(segment)) continue
      chars += Math.min(segment.text.length, MAX_SEGMENT_CHARS)
      if (chars > maxChars) return [...chosen]
      chosen.add(segment)
    }
  }
  return [...chosen]
}
