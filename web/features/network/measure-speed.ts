import { REQUEST_TIMEOUT_MS } from '#contract/limits.ts'
import { judgeRoundTrip } from './connection-speed.ts'

/**
 * Times one call that no cache may answer.
 * @throws when it fails or is not answered with OK.
 */
export async function measureSpeed(): Promise<'fast' | 'medium' | 'slow'> {
  const startedAtMs = performance.now()
  const response = await fetch('/api/health', {
    cache: 'no-store',
    headers: { 'cache-control': 'no-cache', pragma: 'no-cache' },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`health answered ${response.status}`)
  return judgeRoundTrip(performance.now() - startedAtMs)
}
