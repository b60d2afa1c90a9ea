import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SaidSegment } from '#worker/ports/step-writer.ts'

/** Folder of the benchmark, which is no part of the project. */
export const CHAPTERS_DIR = resolve(process.env['ADAPT_CHAPTERS_DIR'] ?? '../shared/chapters')

/** A chapter mark, in seconds, as the benchmark's scorer reads it. */
export interface Mark {
  start: number
  title: string
}

/** One recording of the benchmark: a transcript and the marks that people made. */
export interface GoldItem {
  id: string
  title: string
  group: string
  durationS: number
  segments: { start: number; end: number; text: string }[]
  chapters: Mark[]
}

/** Mean scores of some recordings, under the names of the benchmark's scorer. */
export type ScoreRow = Record<'n' | 'F1@5' | 'F1@10' | 'pk' | 'countRatio' | 'tiouF1' | 'titleF1', number>

/** What we use of the benchmark's `score.mjs`. */
export interface ChapterScorer {
  loadGold(dir: string): GoldItem[]
  scoreItem(item: GoldItem, marks: readonly Mark[]): unknown
  aggregate(results: unknown[]): { bySource: Record<string, ScoreRow>; macro: ScoreRow }
}

/** Loads the benchmark's scorer and its recordings. */
export async function loadScorer(): Promise<{ scorer: ChapterScorer; gold: GoldItem[] }> {
  const scorer = (await import(pathToFileURL(resolve(CHAPTERS_DIR, 'score.mjs')).href)) as ChapterScorer
  return { scorer, gold: scorer.loadGold(resolve(CHAPTERS_DIR, 'dev')) }
}

/** The transcript of a recording in the form that step writers read. */
export function readSegments(item: GoldItem): SaidSegment[] {
  return item.segments.map((segment, index) => ({
    id: `s${index}`,
    startMs: Math.round(segment.start * 1_000),
    endMs: Math.round(segment.end * 1_000),
    text: segment.text,
  }))
}
