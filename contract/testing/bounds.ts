import type { z } from 'zod'

/** What is limited, where, by what kind of value, and the least and most of it; null for no most. */
export type Bound = readonly [
  what: string,
  schema: z.ZodType,
  make: (size: number) => unknown,
  least: number,
  most: number | null,
]

/** A text of so many characters; there is none of fewer than none. */
export const text = (length: number): unknown => length >= 0 && 'x'.repeat(length)
/** The number itself. */
export const number = (value: number): unknown => value
/** Makes lists of one item. */
export const listOf = (item: unknown) => (length: number) => length >= 0 && Array.from({ length }, () => item)
/** Makes objects with one more field. */
export const within = (field: string, make: Bound[2], rest: object = {}) => {
  return (size: number) => ({ ...rest, [field]: make(size) })
}

/** Whether a schema takes what is too small, the least, the most, and what is too large; the latter two where there is a most. */
export function tryBounds([, schema, make, least, most]: Bound): boolean[] {
  const sizes = [least - 1, least, ...(most === null ? [] : [most, most + 1])]
  return sizes.map((size) => schema.safeParse(make(size)).success)
}
