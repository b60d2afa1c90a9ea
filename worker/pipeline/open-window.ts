import type { Context } from '#worker/context.ts'
import { listSectionsBetween, readSectionSteps, type SectionRow } from '#worker/domain/run/run-step-store.ts'
import type { CurrentRun } from '#worker/domain/run/run-store.ts'
import { WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS } from '#worker/domain/step/plan-sections.ts'
import { readSections, readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import type { StepWindow } from '#worker/ports/language-model.ts'

/** All sections but the first three have a minute at least, so these have all that a writer may look back on. */
const SECTIONS_BEFORE = 3 + WINDOW_BEFORE_MS / 60_000

/** Reads what a section is written from. */
export async function openWindow(
  context: Context,
  { module, run }: CurrentRun,
  { section, fromPosition, toPosition }: SectionRow,
): Promise<StepWindow> {
  const isCaptioned = module.transcriptSource === 'captions'
  const known = isCaptioned
    ? (await readTranscript(context, module)).segments
    : // The next section may be formed or not by now, and what is written must not depend on that.
      await readSections(context.db, run, { first: section - SECTIONS_BEFORE, last: section })
  const segments = known.filter(({ position }) => position >= fromPosition && position < toPosition)
  const fromMs = (segments[0]?.startMs ?? 0) - WINDOW_BEFORE_MS
  const before = known.filter(({ position, startMs }) => position < fromPosition && startMs >= fromMs)
  const { title: moduleTitle, language, glossary, durationMs } = module
  const window = { moduleTitle, language, glossary, durationMs, before, segments }
  if (!isCaptioned) return window
  const afterTo = toPosition + WINDOW_AFTER_SEGMENTS
  return { ...window, after: known.filter(({ position }) => position >= toPosition && position < afterTo) }
}

/** The titles of the steps before a section, as far as their sections are written: others are written at this moment. */
export async function listTitlesBefore({ db }: Context, { section, ...id }: SectionRow): Promise<string[]> {
  if (section === 0) return []
  const rows = await listSectionsBetween(db, id, section - SECTIONS_BEFORE, section - 1)
  return rows.flatMap((row) =>
    (readSectionSteps(row) ?? []).filter(({ isFraming }) => !isFraming).map(({ title }) => title),
  )
}
