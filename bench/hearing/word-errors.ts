/** A transcribed word for comparison, and the middle of it. */
export interface WordTime {
  text: string
  timeMs: number
}

/** A word that is wrong, missing or too many. */
export interface WordError {
  /** Where in the reference: the word that is wrong or missing, or the gap before a word that has too many before it. */
  position: string
  timeMs: number
}

/** Finds the errors of the best alignment, in order; their number is the numerator of the word error rate. */
export function findErrors(reference: readonly string[], transcribed: readonly WordTime[]): WordError[] {
  const width = transcribed.length + 1
  const edits = new Int32Array((reference.length + 1) * width)
  const editsAt = (row: number, column: number) => edits[row * width + column] ?? 0
  const substitution = (row: number, column: number) => (reference[row - 1] === transcribed[column - 1]?.text ? 0 : 1)
  for (let row = 0; row <= reference.length; row++) {
    for (let column = 0; column <= transcribed.length; column++) {
      const missing = row === 0 ? Number.POSITIVE_INFINITY : editsAt(row - 1, column) + 1
      const extra = column === 0 ? Number.POSITIVE_INFINITY : editsAt(row, column - 1) + 1
      const paired =
        row === 0 || column === 0 ? Number.POSITIVE_INFINITY : editsAt(row - 1, column - 1) + substitution(row, column)
      edits[row * width + column] = row === 0 && column === 0 ? 0 : Math.min(missing, extra, paired)
    }
  }
  return traceBack(reference.length, transcribed, { editsAt, substitution })
}

interface Edits {
  editsAt: (row: number, column: number) => number
  substitution: (row: number, column: number) => number
}

function traceBack(rows: number, transcribed: readonly WordTime[], { editsAt, substitution }: Edits): WordError[] {
  const timeAt = (column: number) => transcribed[Math.min(transcribed.length, Math.max(1, column)) - 1]?.timeMs ?? 0
  const errors: WordError[] = []
  let [row, column] = [rows, transcribed.length]
  while (row > 0 || column > 0) {
    const here = editsAt(row, column)
    if (row > 0 && column > 0 && here === editsAt(row - 1, column - 1) + substitution(row, column)) {
      if (substitution(row, column) > 0) errors.push({ position: `word ${row}`, timeMs: timeAt(column) })
      row -= 1
      column -= 1
    } else if (row > 0 && here === editsAt(row - 1, column) + 1) {
      errors.push({ position: `word ${row}`, timeMs: (timeAt(column) + timeAt(column + 1)) / 2 })
      row -= 1
    } else {
      errors.push({ position: `before ${row + 1}`, timeMs: timeAt(column) })
      column -= 1
    }
  }
  return errors.reverse()
}

/** Leaves out as many errors at each position of the reference as another transcript has there. */
export function withoutKnown(errors: readonly WordError[], known: readonly WordError[]): WordError[] {
  const counts = new Map<string, number>()
  for (const { position } of known) counts.set(position, (counts.get(position) ?? 0) + 1)
  return errors.filter(({ position }) => {
    const count = counts.get(position) ?? 0
    counts.set(position, count - 1)
    return count <= 0
  })
}

/** How far from a cut an error is one of the seam. */
const NEAR_MS = 3_000

/** Errors that a transcript of the whole does not have, near cuts and elsewhere, with the time that each has. */
export interface SeamErrors {
  seams: number
  near: number
  nearMs: number
  elsewhere: number
  elsewhereMs: number
}

/** Counts errors near cuts, and those in the rest of the recording. */
export function countAtSeams(errors: readonly WordError[], cutsMs: readonly number[], durationMs: number): SeamErrors {
  const near = errors.filter(({ timeMs }) => cutsMs.some((cutMs) => Math.abs(cutMs - timeMs) <= NEAR_MS)).length
  const nearMs = Math.min(durationMs, cutsMs.length * 2 * NEAR_MS)
  const elsewhere = errors.length - near
  return { seams: cutsMs.length, near, nearMs, elsewhere, elsewhereMs: durationMs - nearMs }
}
