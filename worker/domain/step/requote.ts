import { removeSoundMarks } from '#worker/domain/transcript/sound-marks.ts'

/** A step or proposal with its transcript. */
export interface Quoting {
  id: string
  originalText: string
  segmentIds: readonly string[]
}

/** A line of the transcript before and after a correction. */
export interface LineChange {
  before: string
  after: string
}

/**
 * The quote of a step once lines of the transcript have been corrected. One that is its lines' text stays so; of any
 * other, the corrected lines are replaced where they are found.
 * @param lines texts of the lines before the correction
 * @param changes the corrected lines, by id
 * @returns null when the quote stays as it is
 */
export function requote(
  { originalText, segmentIds }: Quoting,
  lines: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, LineChange>,
): string | null {
  const own = segmentIds.filter((id) => changes.has(id))
  if (own.length === 0 || originalText === '') return null
  const textOf = (id: string) => changes.get(id)?.after ?? lines.get(id) ?? ''
  for (const write of [tidy, tidySpoken]) {
    const before = joinLines(segmentIds.map((id) => write(lines.get(id) ?? '')))
    const after = joinLines(segmentIds.map((id) => write(textOf(id))))
    if (originalText === after) return null
    if (originalText === before) return after
  }
  const quote = own.reduce((text, id) => replaceLine(text, changes.get(id)), originalText)
  return quote === originalText ? null : quote
}

const joinLines = (lines: readonly string[]) => lines.filter((line) => line !== '').join(' ')

function replaceLine(text: string, change: LineChange | undefined): string {
  for (const write of [tidy, tidySpoken]) {
    const before = write(change?.before ?? '')
    const offset = before === '' ? -1 : text.indexOf(before)
    if (offset !== -1) return text.slice(0, offset) + write(change?.after ?? '') + text.slice(offset + before.length)
  }
  return text
}

/** Steps that are written from captions quote no sounds. */
function tidySpoken(text: string): string {
  return tidy(removeSoundMarks(tidy(text)))
}

/** Quotes are one line of text, whatever blanks the segments have. */
function tidy(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** A line of the transcript; `transcribedText` is null where no person has corrected it. */
interface CorrectedLine {
  id: string
  text: string
  transcribedText: string | null
}

/** Replaces the transcribed text in the quotes of steps by the corrected text. */
export function quoteCorrected<Each extends Quoting>(
  steps: readonly Each[],
  corrected: readonly CorrectedLine[],
): Each[] {
  const lines = new Map(corrected.map((line) => [line.id, line.transcribedText ?? line.text]))
  const changes = new Map(
    corrected.flatMap(({ id, text, transcribedText }) =>
      transcribedText === null ? [] : [[id, { before: transcribedText, after: text }]],
    ),
  )
  return steps.map((step) => ({ ...step, originalText: requote(step, lines, changes) ?? step.originalText }))
}
