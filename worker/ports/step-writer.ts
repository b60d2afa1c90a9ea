/** The transcript between two moments of the video, from which steps are made. */
export interface SaidSegment {
  id: string
  startMs: number
  endMs: number
  text: string
}

/** What a step writer reads: a section of the narration, in time order, that fits one call of the model. */
export interface StepWindow {
  moduleTitle: string
  /** Length of the video; null until it is known. */
  durationMs: number | null
  /** ISO 639-1; null when unknown. */
  language: string | null
  /** Names and product words of this module; null when there are none. */
  glossary: string | null
  /** The transcript before the section, up to half an hour. Its steps are written elsewhere. */
  before: SaidSegment[]
  segments: SaidSegment[]
  /** The transcript after the section, up to some minutes; only when it is known already, as it is with captions. */
  after?: SaidSegment[]
}

/**
 * One step as a writer proposes it. It names the segments that it covers and never times: those come from the
 * segments. May be wrong in every way (ids that do not exist, overlaps, empty titles); `tidySection` makes it safe.
 */
export interface StepDraft {
  /** Those of the first draft may begin in the last half minute of `before`: the step began there. */
  segmentIds: string[]
  title: string
  description: string
  /** Of the first draft of a section: it continues the step that was under way when the section began. */
  continues?: boolean
  /** Of one that continues: its title and description are those of the whole step, as far as it is transcribed. */
  namesWhole?: boolean
}

/** Cuts a transcript into learning steps and names them. */
export interface StepWriter {
  /** For logs: engine and model. */
  readonly name: string
  /**
   * Proposes steps for one window.
   * @throws {AppError} `ai_busy`, `ai_quota`, `ai_timeout`, `ai_failed`; the caller falls back to the extractive engine
   */
  writeSteps(window: StepWindow, signal: AbortSignal): Promise<StepDraft[]>
}
