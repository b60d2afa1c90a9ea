/** Formats epoch milliseconds as ISO 8601, UTC; null stays null. */
export function toIso<Ms extends number | null>(ms: Ms): Ms extends number ? string : null {
  return (ms === null ? null : new Date(ms).toISOString()) as Ms extends number ? string : null
}
