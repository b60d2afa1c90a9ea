import type { TranscriptSegment } from '#contract/transcript.ts'

/** A line that two transcripts say otherwise. */
export interface LineChange {
  id: string
  /** Seconds. */
  start: number
  /** Empty where it is new. */
  before: string
  /** Empty where it is gone. */
  after: string
}

type Line = Pick<TranscriptSegment, 'id' | 'start' | 'text'>

/** Compares two transcripts line by line, in order of time. A correction keeps the name of its line, another run does not. */
export function compareLines(before: readonly Line[], after: readonly Line[]): LineChange[] {
  const now = new Map(after.map((line) => [line.id, line]))
  const old = new Set(before.map(({ id }) => id))
  const changed = before.flatMap(({ id, start, text }) => {
    const said = now.get(id)?.text ?? ''
    return said === text ? [] : [{ id, start, before: text, after: said }]
  })
  const added = after.flatMap(({ id, start, text }) => (old.has(id) ? [] : [{ id, start, before: '', after: text }]))
  return [...changed, ...added].toSorted((one, other) => one.start - other.start)
}
