import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'

export function askServer(path: string, method = 'GET'): Promise<Response> {
  const headers = { accept: 'application/json' }
  return fetch(path, { method, headers, credentials: 'same-origin', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
}
