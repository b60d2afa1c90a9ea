/** Divides items into parts of at most so much together, in order; one that is larger stands alone. */
export function divideBySize<Item>(items: readonly Item[], sizeOf: (item: Item) => number, max: number): Item[][] {
  const parts: Item[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (size > left || parts.length === 0) {
      parts.push([])
      left = max
    }
    parts.at(-1)?.push(item)
    left -= size
  }
  return parts
}
