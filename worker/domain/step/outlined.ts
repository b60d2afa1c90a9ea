import type { OutlineEntry } from '#worker/ports/language-model.ts'

/** An entry of the step list of a video. */
export interface Outlined extends Omit<OutlineEntry, 'first'> {
  /** Id of the step in which it begins. */
  id: string
  /** Where in this step; left out where it begins with it. */
  inside?: Inside
}

/** A segment inside of a step, and where its words stand in those of the step. */
export interface Inside {
  segmentId: string
  startMs: number
  textAt: number
}
