import { diffWords } from '#web/lib/diff-words.ts'

const LOOKS = {
  removed: 'rounded-chip bg-danger-soft px-0.5 text-danger-ink line-through',
  added: 'rounded-chip bg-brand-soft px-0.5 text-brand-ink no-underline',
} as const

/** One side of a change: what is only on this side is marked, by more than its colour. */
export function ChangedText({ before, after, side }: { before: string; after: string; side: 'before' | 'after' }) {
  const shown = side === 'before' ? 'removed' : 'added'
  const Mark = side === 'before' ? 'del' : 'ins'
  return diffWords(before, after)
    .filter((run) => run.kind === 'same' || run.kind === shown)
    .map((run, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- runs have no other name, and a new diff draws all of them
      <span key={index}>
        {index > 0 && ' '}
        {run.kind === 'same' ? run.text : <Mark className={LOOKS[shown]}>{run.text}</Mark>}
      </span>
    ))
}
