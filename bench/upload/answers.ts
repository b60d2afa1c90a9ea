/** How far a module has come. */
export interface UploadStanding {
  status: string
  error: string | null
  /** More than one: the browser's sound was thrown away. */
  runs: number
  finalSteps: number
  /** Of a run that is still at work. */
  shownSteps: number
  /** What the worker has warned of since it was started. */
  complaints: string[]
}
