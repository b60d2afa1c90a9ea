/** A run of words that both texts have, or only one of them. */
export interface WordRun {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** More comparisons than this (500 words against 500) would be felt; such texts are shown as replaced. */
const MAX_COMPARISONS = 250_000

/** How one text becomes another, word by word, in the order in which it is read: what goes stands before what comes. */
export function diffWords(before: string, after: string): WordRun[] {
  const left = splitWords(before)
  const right = splitWords(after)
  const isTooLong = left.length * right.length > MAX_COMPARISONS
  const common = isTooLong ? [] : countCommon(left, right)
  const runs: WordRun[] = []
  // Between two words that are the same: what goes, and what comes.
  let gap = { removed: [] as string[], added: [] as string[] }
  function closeGap() {
    for (const kind of ['removed', 'added'] as const) {
      if (gap[kind].length > 0) runs.push({ kind, text: gap[kind].join(' ') })
    }
    gap = { removed: [], added: [] }
  }
  function addSame(word: string) {
    closeGap()
    const last = runs.at(-1)
    if (last?.kind === 'same') last.text += ` ${word}`
    else runs.push({ kind: 'same', text: word })
  }

  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    const word = left[i]
    const next = right[j]
    if (word !== undefined && word === next && !isTooLong) {
      addSame(word)
      i += 1
      j += 1
    } else if (word !== undefined && (next === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      gap.removed.push(word)
      i += 1
    } else if (next !== undefined) {
      gap.added.push(next)
      j += 1
    }
  }
  closeGap()
  return runs
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** `common[i][j]`: how many words the two have in common, in order, from the i-th and the j-th on. */
function countCommon(left: string[], right: string[]): number[][] {
  const common = Array.from({ length: left.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0))
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const isSame = left[i] === right[j]
      const row = common[i] as number[]
      row[j] = isSame ? at(common, i + 1, j + 1) + 1 : Math.max(at(common, i + 1, j), at(common, i, j + 1))
    }
  }
  return common
}

function at(common: number[][], i: number, j: number): number {
  return common[i]?.[j] ?? 0
}
