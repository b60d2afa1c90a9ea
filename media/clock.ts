/** A length of time as people write it: `0:49`, `1:02:03`. */
export function asClock(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const chunks = [Math.floor(seconds / 60) % 60, seconds % 60].map((chunk) => String(chunk).padStart(2, '0'))
  const hours = Math.floor(seconds / 3600)
  return hours > 0 ? [hours, ...chunks].join(':') : chunks.join(':').replace(/^0/, '')
}
