import promises from './promises.json' with { type: 'json' }

/** What Adapt promises: a sentence of the specification, a guarantee, a fault, a threat or an attack. */
export interface Promised {
  /** Such as `fault-12`. Tests that show it have it among their tags, in Playwright behind an `@`. */
  tag: string
  text: string
  /** Where a threat is described by others. */
  see?: string
  /** What limits an attack. */
  limit?: string
  /** Why a part of it, or all of it, has no test of ours. */
  untested?: readonly string[]
}

export interface Chapter {
  title: string
  /** Paragraphs of Markdown. */
  about?: readonly string[]
  rows: readonly Promised[]
}

/** Edited by hand. */
export const PROMISES: readonly Chapter[] = promises

export function listRows(chapters: readonly Chapter[]): readonly Promised[] {
  return chapters.flatMap(({ rows }) => rows)
}
