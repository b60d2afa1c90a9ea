import type { ScreenBlock, VisibleSecret } from '#contract/screen.ts'

/** A pointer that passes hides a line for so long at most. */
const HIDDEN_MS = 5_000
/** Blocks are in the same place when they are in the same of so many columns and rows. */
const PLACES = 50

/** Joins blocks that show the same in the same place with little time between. */
export function joinBlocks(blocks: readonly ScreenBlock[]): ScreenBlock[] {
  const merged: ScreenBlock[] = []
  const latest = new Map<string, ScreenBlock>()
  for (const block of blocks.toSorted((a, b) => a.startMs - b.startMs)) {
    const key = `${block.kind} ${block.text} ${Math.round(block.box.x * PLACES)} ${Math.round(block.box.y * PLACES)}`
    const before = latest.get(key)
    if (before !== undefined && block.startMs - before.endMs <= HIDDEN_MS) {
      before.endMs = Math.max(before.endMs, block.endMs)
      before.confidence = Math.max(before.confidence, block.confidence)
      continue
    }
    const own = { ...block }
    latest.set(key, own)
    merged.push(own)
  }
  return merged
}

/** Joins secrets of one kind that are visible with little time between. */
export function joinSecrets(secrets: readonly VisibleSecret[]): VisibleSecret[] {
  const joined: VisibleSecret[] = []
  for (const secret of secrets.toSorted((a, b) => a.startMs - b.startMs)) {
    const before = joined.findLast(({ kind }) => kind === secret.kind)
    if (before === undefined || secret.startMs - before.endMs > HIDDEN_MS) joined.push({ ...secret })
    else before.endMs = Math.max(before.endMs, secret.endMs)
  }
  return joined
}
