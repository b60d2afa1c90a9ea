import * as m from '#messages'

const UNITS = ['B', 'KB', 'MB', 'GB'] as const
const STEP = 1024
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

const DECIMAL_IF_ANY = { maximumFractionDigits: 1 } as const

/** `1536` → `1.5 KB`, `2048` → `2.0 KB`. One decimal under ten, none for bytes. */
export function formatBytes(sizeBytes: number): string {
  return format(sizeBytes, ONE_DECIMAL)
}

/** `2048` → `2 KB`: a limit is no measurement. */
export function formatLimit(sizeBytes: number): string {
  return format(sizeBytes, DECIMAL_IF_ANY)
}

function format(sizeBytes: number, decimals: Intl.NumberFormatOptions): string {
  let value = sizeBytes
  let unit = 0
  // By the rounded value, so that a byte less than a megabyte is not "1024 KB".
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  const isWhole = unit === 0 || value >= 10
  const formattedValue = isWhole ? Math.round(value).toString() : value.toLocaleString(m.language_tag(), decimals)
  return `${formattedValue} ${UNITS[unit]}`
}
