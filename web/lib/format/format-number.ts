import * as m from '#messages'

/** `1,234.5`: one decimal. */
export function formatDecimal(value: number): string {
  return value.toLocaleString(m.language_tag(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

/** `12,400` */
export function formatCount(count: number): string {
  return count.toLocaleString(m.language_tag())
}
