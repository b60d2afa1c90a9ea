import { integer } from 'drizzle-orm/sqlite-core'

/** Epoch milliseconds everywhere; the wire has ISO 8601. */
export function epochMs(name: string) {
  return integer(name)
}
