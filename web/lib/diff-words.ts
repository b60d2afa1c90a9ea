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
  if (left.length * right.length > MAX_COMPARISONS) {
    return joinRuns([...left.map((text) => run('removed', text)), ...right.map((text) => run('added', text))])
  }
  return joinRuns(walk(left, right, countCommon(left, right)))
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function run(kind: WordRun['kind'], text: string): WordRun {
  return { kind, text }
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

function walk(left: string[], right: string[], common: number[][]): WordRun[] {
  const runs: WordRun[] = []
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    const word = left[i]
    const next = right[j]
    if (word !== undefined && word === next) {
      runs.push(run('same', word))
      i += 1
      j += 1
    } else if (word !== undefined && (next === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      runs.push(run('removed', word))
      i += 1
    } else if (next !== undefined) {
      runs.push(run('added', next))
      j += 1
    }
  }
  return runs
}

/** Words of one kind in a row become one run; between two that are the same, all that goes stands first. */
function joinRuns(runs: WordRun[]): WordRun[] {
  const joined: WordRun[] = []
  for (const each of runs) {
    const last = joined.at(-1)
    const beforeLast = joined.at(-2)
    const isLate = each.kind === 'removed' && last?.kind === 'added' && beforeLast?.kind === 'removed'
    const same = isLate ? beforeLast : last
    if (same !== undefined && same.kind === each.kind) same.text += ` ${each.text}`
    else if (each.kind === 'removed' && last?.kind === 'added') joined.splice(-1, 0, { ...each })
    else joined.push({ ...each })
  }
  return joined
}
