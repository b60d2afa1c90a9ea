/** The module that the bench looks at. */
export const MODULE_ID = 'benchbenchbenchbench01'
export const STEP_COUNT = 10
