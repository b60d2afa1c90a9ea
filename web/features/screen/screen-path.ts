/** The address of what was read from a module's screen. */
export const screenPath = (moduleId: string) => `/api/modules/${encodeURIComponent(moduleId)}/screen`
