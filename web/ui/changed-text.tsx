import { diffWords } from '#web/lib/diff-words.ts'

const LOOKS = {
  same: '',
  removed: 'rounded-chip bg-danger-soft px-0.5 text-danger-ink line-through',
  added: 'rounded-chip bg-brand-soft px-0.5 text-brand-ink no-underline',
} as const
const TAGS = { same: 'span', removed: 'del', added: 'ins' } as const
/** What each side does not have. */
const LEFT_OUT = { before: 'added', after: 'removed', both: null } as const

interface ChangedTextProps {
  before: string
  after: string
  /** One side of the change with what is only there marked, or both in one. */
  side: keyof typeof LEFT_OUT
}

/** How a text changes, marked by more than its colour. */
export function ChangedText({ before, after, side }: ChangedTextProps) {
  return diffWords(before, after)
    .filter((run) => run.kind !== LEFT_OUT[side])
    .map((run, index) => {
      const Tag = TAGS[run.kind]
      return (
        // oxlint-disable-next-line react/no-array-index-key -- runs have no other name, and a new diff draws all of them
        <span key={index}>
          {index > 0 && ' '}
          <Tag className={LOOKS[run.kind]}>{run.text}</Tag>
        </span>
      )
    })
}
