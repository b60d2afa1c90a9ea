import type { ScreenBlock, ScreenCorrection } from '#contract/screen.ts'

/** What another reading of the same line may begin or end apart. */
const SLACK_MS = 2_000

/**
 * Finds for each text of a screen what an owner made of it, or of the same text at the same time in another reading.
 * @param corrections the newest first
 */
export function matchCorrections(
  blocks: readonly ScreenBlock[],
  corrections: readonly ScreenCorrection[],
): (ScreenCorrection | undefined)[] {
  const byText = new Map<string, ScreenCorrection[]>()
  for (const correction of corrections) {
    // A better reading may have by itself what a person had to write.
    for (const text of new Set([correction.readText, correction.text ?? correction.readText].map(fold)))
      byText.set(text, [...(byText.get(text) ?? []), correction])
  }
  return blocks.map((block) => {
    const found = (byText.get(fold(block.text)) ?? []).filter((correction) => isSameTime(block, correction))
    return found.find(({ readText }) => readText === block.text) ?? found[0]
  })
}

/** The texts of a screen as they count: corrected, and without those that are hidden. */
export function applyCorrections(
  blocks: readonly ScreenBlock[],
  corrections: readonly ScreenCorrection[],
): ScreenBlock[] {
  if (corrections.length === 0) return [...blocks]
  const matched = matchCorrections(blocks, corrections)
  return blocks.flatMap((block, index) => {
    const correction = matched[index]
    if (correction === undefined) return block
    const { text, kind, isHidden } = correction
    return isHidden ? [] : { ...block, text: text ?? block.text, kind: kind ?? block.kind }
  })
}

function isSameTime(block: ScreenBlock, { startMs, endMs }: ScreenCorrection): boolean {
  return block.startMs <= endMs + SLACK_MS && block.endMs >= startMs - SLACK_MS
}

/** Readings differ in blanks. */
function fold(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}
