/** Address of a module's socket. */
export function makeLiveUrl(moduleId: string, ticket: string, cursor: number): string {
  const url = new URL(`/api/modules/${encodeURIComponent(moduleId)}/live`, window.location.origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = new URLSearchParams({ ticket, cursor: String(cursor) }).toString()
  return url.href
}
