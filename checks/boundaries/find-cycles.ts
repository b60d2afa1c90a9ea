/**
 * Finds what reaches itself: each group of nodes of which every one reaches every other (strongly connected components of
 * more than one node, by Tarjan's algorithm).
 * @param edges of each node those that it leads to; one without an entry leads nowhere
 */
export function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) cycles.push(group)
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return cycles
}
