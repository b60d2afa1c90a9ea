import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { extractiveStepWriter, writeExtractiveSteps } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { askOutline, type OutlineRequest, outlineSteps } from '#worker/domain/step/outline-steps.ts'
import type { Outlined } from '#worker/domain/step/outlined.ts'
import { planSections, WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS } from '#worker/domain/step/plan-sections.ts'
import { tidySection } from '#worker/domain/step/tidy-section.ts'
import { markUnsureWords } from '#worker/domain/step/unsure-words.ts'
import type { SaidSegment, StepDraft, StepWindow, StepWriter } from '#worker/ports/language-model.ts'

/** Folder of the benchmark, which is no part of the project. */
const CHAPTERS_DIR = resolve(process.env['ADAPT_CHAPTERS_DIR'] ?? '../shared/chapters')

/** A chapter mark, in seconds, as the benchmark's scorer reads it. */
interface Mark {
  start: number
  title: string
}

/** One recording of the benchmark: a transcript and the marks that people made. */
export interface GoldItem {
  id: string
  title: string
  group: string
  durationS: number
  segments: ({ start: number; end: number } & Omit<SaidSegment, 'id' | 'startMs' | 'endMs'>)[]
  chapters: Mark[]
}

/** Mean scores of some recordings, under the names of the benchmark's scorer. */
export type ScoreRow = Record<'n' | 'F1@5' | 'F1@10' | 'pk' | 'countRatio' | 'tiouF1' | 'titleF1', number>

/** What the benchmark's scorer finds out about one recording, as far as we use it. */
export interface ItemScore {
  tol: Record<5 | 10, { f1: number }>
  pk: number
  countRatio: number
  tiouF1: number
  titleF1: number
}

/** What we use of the benchmark's `score.mjs`. */
export interface ChapterScorer {
  loadGold(dir: string): GoldItem[]
  scoreItem(item: GoldItem, marks: readonly Mark[]): ItemScore
  aggregate(results: unknown[]): { bySource: Record<string, ScoreRow>; macro: ScoreRow }
}

export interface Chapters {
  scorer: ChapterScorer
  gold: GoldItem[]
}

/** Its recordings of lectures, screencasts and interviews. */
export const DEV_DIR = join(CHAPTERS_DIR, 'dev')
/** Its how-tos and recordings of developers. */
export const HOWTO_DIR = join(CHAPTERS_DIR, 'howto')
/** The folders whose marks may be looked at, and fitted to. */
const FITTED_DIRS = [DEV_DIR, HOWTO_DIR]

/**
 * Uses the benchmark where it is.
 * @param dir a folder of recordings in its form; all that we fit to by default
 * @returns null, after a line that says so, where it is not
 */
export async function withChapters<T>(use: (chapters: Chapters) => T | Promise<T>, dir?: string): Promise<T | null> {
  const dirs = dir === undefined ? FITTED_DIRS : [resolve(dir)]
  const missing = [join(CHAPTERS_DIR, 'score.mjs'), ...dirs].find((path) => !existsSync(path))
  if (missing !== undefined) {
    console.log(`No benchmark at ${missing}; set ADAPT_CHAPTERS_DIR. Nothing measured.`)
    return null
  }
  const scorer = (await import(pathToFileURL(resolve(CHAPTERS_DIR, 'score.mjs')).href)) as ChapterScorer
  return use({ scorer, gold: dirs.flatMap((path) => scorer.loadGold(path)) })
}

/** The transcript of a recording in the form that step writers read. */
export function readSegments(item: GoldItem): SaidSegment[] {
  return item.segments.map((segment, index) => ({
    id: `s${index}`,
    startMs: Math.round(segment.start * 1_000),
    endMs: Math.round(segment.end * 1_000),
    text: segment.text,
    ...(segment.unsure !== undefined && { unsure: segment.unsure }),
    ...(segment.guessed !== undefined && { guessed: segment.guessed }),
  }))
}

/** Captions are known as a whole; of audio, nothing after a section is known when its steps are written. */
export const SOURCES = ['captions', 'audio'] as const
export type Source = (typeof SOURCES)[number]

/** A hosted model's slowest answer. */
const WRITER_TIMEOUT_MS = 300_000

/** Cuts and names one recording as the product does: planned, written section by section, tidied, composed. */
export async function predictSteps(item: GoldItem, writer: StepWriter, source: Source) {
  const segments = readSegments(item)
  const durationMs = item.durationS * 1_000
  /** The most processor time that the writer took for one section; the clock would count what else the machine does. */
  let slowestMs = 0
  const sections = []
  for (const window of openWindows(item, segments, source)) {
    const started = process.cpuUsage()
    const drafts = await write(writer, window)
    slowestMs = Math.max(slowestMs, process.cpuUsage(started).user / 1_000)
    sections.push({ steps: tidySection({ drafts, ...window }), isDraft: false })
  }
  const steps = composeSteps({ run: 1, durationMs, sections, isComplete: true })
  const entries = await outline(writer, { moduleTitle: item.title, durationMs, language: 'en', steps, segments })
  const listed = outlineSteps(steps, entries, [])
  /** People mark chapters where there are any. */
  const stored = listed
    .filter(({ chapter }, at) => chapter === null || chapter !== listed[at - 1]?.chapter)
    .map(({ startMs, title, chapter }): Mark => ({ start: startMs / 1_000, title: chapter ?? title }))
  /** As the product would store them without the outline. */
  const unoutlined = steps.map((step): Mark => ({ start: step.startMs / 1_000, title: step.title }))
  return { listed, unoutlined, stored, slowestMs }
}

/** A list whose outline fails stays as it is, as in the product. */
async function outline(writer: StepWriter, request: OutlineRequest): Promise<Outlined[]> {
  const { outline: ask } = writer
  if (ask === undefined) return []
  try {
    return await askOutline({ outline: ask }, request, AbortSignal.timeout(WRITER_TIMEOUT_MS))
  } catch (error) {
    console.warn(`${writer.name} failed: ${String(error)}`)
    return []
  }
}

/** A model that fails is stood in for, as in the product. */
async function write(writer: StepWriter, window: StepWindow): Promise<StepDraft[]> {
  try {
    return await writer.writeSteps(window, AbortSignal.timeout(WRITER_TIMEOUT_MS))
  } catch (error) {
    if (writer.name === extractiveStepWriter.name) throw error
    console.warn(`${writer.name} failed: ${String(error)}`)
    return writeExtractiveSteps(window)
  }
}

/** The sections of a recording, each with what the writer of its steps knows. */
export function openWindows(
  { title, durationS }: Pick<GoldItem, 'title' | 'durationS'>,
  segments: SaidSegment[],
  source: Source,
): StepWindow[] {
  const context = { moduleTitle: title, durationMs: durationS * 1_000, language: 'en', glossary: null }
  let from = 0
  return planSections(segments).map((section) => {
    const fromMs = (section[0]?.startMs ?? 0) - WINDOW_BEFORE_MS
    const known = markUnsureWords(segments.slice(0, from + section.length), [title])
    const before = known.slice(0, from).filter((segment) => segment.startMs >= fromMs)
    const window = { ...context, before, segments: known.slice(from) }
    from += section.length
    return source === 'captions' ? { ...window, after: segments.slice(from, from + WINDOW_AFTER_SEGMENTS) } : window
  })
}
