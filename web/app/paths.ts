export function trainingPath(moduleId: string): string {
  return `/training/${encodeURIComponent(moduleId)}`
}

/** Where a fresh upload leads: the training page, which shows progress until the module is ready. */
export function processingPath(moduleId: string): string {
  return `${trainingPath(moduleId)}?processing=true`
}

export function editStepsPath(moduleId: string): string {
  return `/edit-steps/${encodeURIComponent(moduleId)}`
}
