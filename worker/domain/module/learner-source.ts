import type { ModuleRow } from './module-store.ts'

/** A module with the video that learners see: that of the published version, where the draft has another one. */
export function asLearnersSee<Row extends Partial<ModuleRow> & Pick<ModuleRow, 'learnerSource'>>(module: Row): Row {
  return module.learnerSource === null ? module : { ...module, ...module.learnerSource }
}
