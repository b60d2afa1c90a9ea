import type { steps } from '#worker/db/schema.ts'

/** A step as it is stored. */
export type StepRow = typeof steps.$inferSelect

/** A step that is ready to be stored; its module and place are given by the store. */
export type StepToStore = Omit<StepRow, 'moduleId' | 'position'>
