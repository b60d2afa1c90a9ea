const UNITS = ['B', 'KB', 'MB', 'GB'] as const
const STEP = 1024

/** `1536` → `1.5 KB`. One decimal under ten, none for bytes. */
export function formatBytes(sizeBytes: number): string {
  let value = sizeBytes
  let unit = 0
  // By the rounded value, so that a byte less than a megabyte is not "1024 KB".
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  const shown = unit === 0 || value >= 10 ? Math.round(value).toString() : value.toFixed(1)
  return `${shown} ${UNITS[unit]}`
}
