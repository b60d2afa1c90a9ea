import type { TakenOver } from './take-over.ts'

/** A step as one section of the narration knows it; its ends may still move when the neighbours are there. JSON-safe. */
export interface SectionStep {
  /** Every segment said during the step, in time order; no segment is in two steps. Never empty. */
  segmentIds: string[]
  /** Whole milliseconds of the video: when the first segment starts. */
  startMs: number
  /** When the next step of the section starts; of the last one, when its last segment ends. */
  endMs: number
  title: string
  description: string
  /** The transcript of the segments, joined by spaces. */
  originalText: string
  /** Continues the last step of the section before; only ever true of the first step. */
  continues: boolean
  /** Of one that continues: title and description are those of the whole step, from where it began. */
  namesWhole?: boolean
  /**
   * Of the first step of a section that does not continue: it began before the section, with this. It is not among the
   * step's segments, times and text, since it belongs to the step that was under way unless that can do without it.
   */
  takenOver?: TakenOver
}
