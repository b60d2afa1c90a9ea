/** Names everything that the edge keeps of a shared module, so that it can be purged together. */
export function shareTag(moduleId: string): string {
  return `share-${moduleId}`
}
