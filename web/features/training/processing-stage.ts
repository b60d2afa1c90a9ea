/** Stage texts of specification §4: the first whose bound is above the percentage. */
const STAGES = [
  { belowPercent: 10, text: 'Starting AI analysis' },
  { belowPercent: 30, text: 'Analyzing video content' },
  { belowPercent: 50, text: 'Extracting learning steps' },
  { belowPercent: 70, text: 'Enhancing with AI' },
  { belowPercent: 90, text: 'Finalizing training module' },
] as const
const LAST_STAGE = 'Almost ready'

/** Ticked when the percentage is reached; bounds of specification §4. */
const CHECKLIST = [
  { atPercent: 10, label: 'Check the video' },
  { atPercent: 30, label: 'Listen to the narration' },
  { atPercent: 60, label: 'Write down what is said' },
  { atPercent: 90, label: 'Write the learning steps' },
  { atPercent: 100, label: 'Put the training together' },
] as const

/** The usual case ends within 60 s; half as long again is worth a word. */
const SLOW_AFTER_MS = 90_000
/** Specification §9. */
const TIMEOUT_AFTER_MS = 5 * 60_000

export function findStageText(progressPercent: number): string {
  return STAGES.find((stage) => progressPercent < stage.belowPercent)?.text ?? LAST_STAGE
}

export interface ChecklistItem {
  label: string
  state: 'done' | 'current' | 'waiting'
}

/** Everything reached is done, the first that is not is what happens now. */
export function makeChecklist(progressPercent: number): ChecklistItem[] {
  const current = CHECKLIST.findIndex((item) => progressPercent < item.atPercent)
  return CHECKLIST.map(({ label, atPercent }, index) => {
    if (progressPercent >= atPercent) return { label, state: 'done' }
    return { label, state: index === current ? 'current' : 'waiting' }
  })
}

/** How long it takes; not counted during the upload, which depends on the connection. */
export type Pace = 'uploading' | 'usual' | 'slow' | 'overdue'

export function judgePace(elapsedMs: number): Pace {
  if (elapsedMs >= TIMEOUT_AFTER_MS) return 'overdue'
  return elapsedMs >= SLOW_AFTER_MS ? 'slow' : 'usual'
}
