import type { stepProposals, steps } from '#worker/db/schema.ts'

/** A step as it is stored. */
export type StepRow = typeof steps.$inferSelect

/** A step that is ready to be stored; its module, place and version are given by the store. */
export type StepToStore = Omit<StepRow, 'moduleId' | 'position' | 'addedVersion'>

/** A step that a new run offers. */
export type ProposalRow = typeof stepProposals.$inferSelect
