import { diffArrays } from 'diff'

/** A run of words that both texts have, or only one of them. */
export interface WordRun {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Texts with more different words are shown as replaced as a whole, because comparing them takes noticeable time. */
const MAX_EDITS = 500

/** Compares two texts word by word, in reading order: removed words come before the added ones. */
export function diffWords(before: string, after: string): WordRun[] {
  const [removed, added] = [splitWords(before), splitWords(after)]
  const changes = diffArrays(removed, added, { maxEditLength: MAX_EDITS })
  if (changes === undefined) return [...runOf('removed', removed), ...runOf('added', added)]
  const runs: WordRun[] = []
  // Removed and added words between two words that are the same.
  let gap = { removed: [] as string[], added: [] as string[] }
  for (const { value, ...change } of [...changes, { value: [], removed: false, added: false }]) {
    if (change.removed) gap.removed.push(...value)
    else if (change.added) gap.added.push(...value)
    else {
      runs.push(...runOf('removed', gap.removed), ...runOf('added', gap.added), ...runOf('same', value))
      gap = { removed: [], added: [] }
    }
  }
  return runs
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function runOf(kind: WordRun['kind'], words: readonly string[]): WordRun[] {
  return words.length === 0 ? [] : [{ kind, text: words.join(' ') }]
}
