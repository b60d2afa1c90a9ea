import { readFileSync, writeFileSync } from 'node:fs'
import { FEATURE_NAMES, measureFeatures } from '#worker/domain/step/extractive/cut-features.ts'
import { type CutModel, makeExtractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { readSentences } from '#worker/domain/step/extractive/sentences.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { fitLogistic, type Observation } from '../regression.ts'
import { round, sum } from '../scenario.ts'
import { listChanges, listUnseen, type Scores, scoreGroups } from './measure-unseen.ts'
import { type GoldItem, readSegments, withChapters } from './predict-steps.ts'

const WEIGHTS_FILE = new URL('../../worker/domain/step/extractive/cut-weights.json', import.meta.url)
/** Chosen by cross-validation among 5, 10, 20 and 40. */
const RIDGE = 10
/** A mark further from every sentence start than this marks no sentence. */
const MARK_REACH_S = 6
/** Sentences this near to a mark are neither cuts nor counterexamples: people's marks are no sharper. */
const DOUBTFUL_S = 8
/** How-to narration is missing from the benchmark, so the sign that it lives by ("To create …, select …") is set. */
const SET_WEIGHTS: Readonly<Record<string, number>> = { occasion: 0.8 }

function observe(item: GoldItem): Observation[] {
  const sentences = readSentences(readSegments(item))
  const starts = sentences.map((sentence) => sentence.startMs / 1_000)
  const marks = item.chapters.map((chapter) => chapter.start).filter((start) => start > (starts[0] ?? 0) + 5)
  const cuts = new Set(marks.flatMap((mark) => nearestStart(starts, mark) ?? []))
  return measureFeatures(sentences).flatMap((row, index) => {
    const isDoubtful = marks.some((mark) => Math.abs((starts[index] ?? 0) - mark) <= DOUBTFUL_S)
    const isCut = cuts.has(index)
    return index === 0 || (isDoubtful && !isCut) ? [] : [{ row, isCut, weight: 1 }]
  })
}

function nearestStart(starts: readonly number[], mark: number): number | null {
  const distances = starts.map((start) => Math.abs(start - mark))
  const least = Math.min(...distances)
  return least <= MARK_REACH_S ? distances.indexOf(least) : null
}

/** Groups count the same, whatever their number of recordings. */
function fit(items: readonly GoldItem[], observed: ReadonlyMap<GoldItem, Observation[]>): CutModel {
  const groups = Object.values(Object.groupBy(items, (item) => item.group)) as GoldItem[][]
  const all = groups.map((group) => group.flatMap((item) => observed.get(item) ?? []))
  const cutCounts = all.map((observations) => observations.filter(({ isCut }) => isCut).length)
  const meanCuts = sum(cutCounts) / cutCounts.length
  const balanced = all.flatMap((observations, group) => {
    return observations.map((observation) => ({ ...observation, weight: meanCuts / (cutCounts[group] ?? 1) }))
  })
  const weights = fitLogistic(balanced, RIDGE)
  const named = FEATURE_NAMES.map((name, index) => [name, round(weights[index] ?? 0, 2)] as const)
  return { bias: round(weights.at(-1) ?? 0, 2), weights: { ...Object.fromEntries(named), ...SET_WEIGHTS } }
}

/** Fits all that is fitted of the engine without a model. */
export function openFit(gold: readonly GoldItem[]) {
  const observed = new Map(gold.map((item) => [item, observe(item)]))
  const writers = new Map<string, StepWriter>()
  return {
    /** The engine, fitted to all groups but one. */
    writerWithout: (group: string): StepWriter => {
      const others = gold.filter((item) => item.group !== group)
      const writer = writers.get(group) ?? makeExtractiveStepWriter(fit(others, observed))
      writers.set(group, writer)
      return writer
    },
    writeWeights: () => writeFileSync(WEIGHTS_FILE, `${JSON.stringify(fit(gold, observed), null, 2)}\n`),
  }
}

/** Options of `npm run fit -- steps`. */
export const FIT_STEPS_OPTIONS = {
  /** Writes what is fitted to all groups into the product. */
  write: { type: 'boolean' },
  /** Keeps the scores of each recording in a file. */
  keep: { type: 'string' },
  /** Compares with such a file. */
  against: { type: 'string' },
} as const

/** Prints how each group is divided by weights that never saw it. */
export async function fitSteps(values: { write?: boolean; keep?: string; against?: string }): Promise<void> {
  await withChapters(async (chapters) => {
    const { writerWithout, writeWeights } = openFit(chapters.gold)
    const { scores } = await scoreGroups(chapters, writerWithout)
    console.log(listUnseen(scores).join('\n'))
    if (values.against !== undefined) {
      const before = JSON.parse(readFileSync(values.against, 'utf8')) as Scores
      console.log(listChanges(before, scores).join('\n'))
    }
    if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify(scores))
    if (values.write === true) writeWeights()
  })
}
