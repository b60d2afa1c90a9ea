import { CORRECTIONS_MAX } from '#contract/limits.ts'
import type { ScreenReading } from '#contract/screen.ts'
import type { Context } from '#worker/core/context.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { storeEdits } from '#worker/domain/step/correct-transcript.ts'
import { markUnsureWords } from '#worker/domain/step/unsure-words.ts'
import { readTranscript, type Segment, type SegmentEdit } from '#worker/domain/transcript/transcript-store.ts'
import { repairWords } from './repair-words.ts'

/**
 * Repairs unsure words of the transcript of a READY module by the names that its screen shows, and takes back what an
 * earlier reading had led to. Lines that a person has changed, or set back, stay as they are.
 * @returns whether anything has changed; what changes meanwhile is repaired with the next reading
 */
export async function repairTranscript(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  module: ModuleRow,
  reading: ScreenReading,
): Promise<boolean> {
  const { segments } = await readTranscript(context, module)
  // As many as a person may store in one call.
  const edits = findRepairs(segments, module, reading).slice(0, CORRECTIONS_MAX)
  return edits.length > 0 && (await storeEdits(context, module, { before: segments, edits }))
}

function findRepairs(
  segments: readonly Segment[],
  { title, glossary }: Pick<ModuleRow, 'title' | 'glossary'>,
  { blocks }: ScreenReading,
): SegmentEdit[] {
  const heard = segments.map((line) => ({ ...line, ...line.heard }))
  return markUnsureWords(heard, [title, glossary ?? '']).flatMap(({ unsure = [], ...said }, index) => {
    const line = segments[index] as Segment
    const text = line.isDecided ? line.text : repairWords({ ...said, unsure }, blocks)
    return text === line.text ? [] : [{ line, text, screenText: text === said.text ? null : text }]
  })
}
