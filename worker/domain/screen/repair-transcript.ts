import { CORRECTIONS_MAX } from '#contract/limits.ts'
import type { ScreenReading } from '#contract/screen.ts'
import type { Context } from '#worker/core/context.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { storeEdits } from '#worker/domain/step/correct-transcript.ts'
import { markUnsureWords } from '#worker/domain/step/unsure-words.ts'
import { readTranscript, type Segment, type SegmentEdit } from '#worker/domain/transcript/transcript-store.ts'
import { repairWords, type SaidRepair } from './repair-words.ts'

/**
 * Repairs unsure words of the transcript of a READY module by the names that its screen shows, and takes back what an
 * earlier reading had led to. Lines that a person has changed, or set back, stay as they are.
 * @returns whether anything has changed, and all words that are repaired; what changes meanwhile is repaired with the next
 *   reading
 */
export async function repairTranscript(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  module: ModuleRow,
  reading: Pick<ScreenReading, 'blocks'>,
): Promise<{ isChanged: boolean; repairs: SaidRepair[] }> {
  const { segments } = await readTranscript(context, module)
  const lines = repairLines(segments, module, reading)
  const edits = lines
    .flatMap(({ line, transcribed, text }): SegmentEdit[] => {
      return text === line.text ? [] : [{ line, text, screenText: text === transcribed ? null : text }]
    })
    // As many as a person may store in one call.
    .slice(0, CORRECTIONS_MAX)
  const isChanged = edits.length > 0 && (await storeEdits(context, module, { before: segments, edits }))
  const repairs = lines.flatMap(({ line: { startMs, endMs }, repairs: words }) => {
    return words.map((word) => ({ ...word, startMs, endMs }))
  })
  return { isChanged, repairs }
}

/** In SQL: whether names on the screen have repaired a line, and no person has changed that. */
export const IS_REPAIR = 'text = screen_text'

/** Takes back whatever names on the screen have repaired in the transcript of a module whose screen is not to be read. */
export async function takeBackRepairs(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'rooms' | 'nowMs'>,
  module: ModuleRow,
): Promise<void> {
  let isChanged = false
  while ((await repairTranscript(context, module, { blocks: [] })).isChanged) isChanged = true
  if (isChanged) await publishModule(context, module.id)
}

function repairLines(
  segments: readonly Segment[],
  { title, glossary }: Pick<ModuleRow, 'title' | 'glossary'>,
  { blocks }: Pick<ScreenReading, 'blocks'>,
) {
  const heard = segments.map((line) => ({ ...line, ...line.heard }))
  return markUnsureWords(heard, [title, glossary ?? '']).flatMap(({ unsure = [], ...said }, index) => {
    const line = segments[index] as Segment
    return line.isDecided ? [] : [{ line, transcribed: said.text, ...repairWords({ ...said, unsure }, blocks) }]
  })
}
