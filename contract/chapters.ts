/** What is known of a step's chapter; null for none. */
interface InChapter {
  chapter?: string | null | undefined
}

/**
 * Finds what stands over a step of a list.
 * @returns the title of the chapter that begins with it, null where only the chapter before has ended, undefined for nothing
 */
export function findHeading(steps: readonly InChapter[], index: number): string | null | undefined {
  const chapter = steps[index]?.chapter ?? null
  return chapter === (steps[index - 1]?.chapter ?? null) ? undefined : chapter
}
