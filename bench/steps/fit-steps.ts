import { readFileSync, writeFileSync } from 'node:fs'
import { FEATURE_NAMES, measureFeatures } from '#worker/domain/step/extractive/cut-features.ts'
import {
  type CutModel,
  makeExtractiveStepWriter,
  type StepModel,
} from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { learnTopic, measureWords, TITLE_SIGNS } from '#worker/domain/step/extractive/name-step.ts'
import { readSentences, splitWords, stemContentWords } from '#worker/domain/step/extractive/sentences.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { fitLogistic, type Observation } from '../regression.ts'
import { round, sum } from '../scenario.ts'
import { listChanges, listUnseen, type Scores, scoreGroups } from './measure-unseen.ts'
import { type GoldItem, readSegments, withChapters } from './predict-steps.ts'

const WEIGHTS_FILE = new URL('../../worker/domain/step/extractive/step-weights.json', import.meta.url)
/** Chosen by cross-validation among 5, 10, 20 and 40. */
const RIDGE = 10
/** A mark further from every sentence start than this marks no sentence. */
const MARK_REACH_S = 6
/** Sentences this near to a mark are neither cuts nor counterexamples: people's marks are no sharper. */
const DOUBTFUL_S = 8

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

/** A mark is at most this much later than the first word of its chapter. */
const MARK_LATE_S = 1

/** The words of each chapter, and whether they stand in its title. */
function observeTitles(item: GoldItem): Observation[] {
  const sentences = readSentences(readSegments(item))
  const topic = learnTopic(sentences, item.title)
  return item.chapters.flatMap(({ start, title }, at) => {
    const [from, to] = [start, item.chapters[at + 1]?.start ?? item.durationS].map((s) => 1_000 * (s - MARK_LATE_S))
    const own = sentences.filter(({ startMs }) => startMs >= (from ?? 0) && startMs < (to ?? 0))
    const named = new Set(stemContentWords(splitWords(title)))
    const words = [...measureWords(own, topic)]
    // Nothing is learned from a title of which no word is said.
    if (!words.some(([stem]) => named.has(stem))) return []
    return words.map(([stem, row]) => ({ row, isCut: named.has(stem), weight: 1 }))
  })
}

/** What is seen of a recording: its sentences, which are cuts or not, and its words, which stand in titles or not. */
interface Observed {
  item: GoldItem
  cuts: Observation[]
  titles: Observation[]
}

const RIDGES = { cuts: RIDGE, titles: 3 }

function fit(observed: readonly Observed[]): StepModel {
  return { cuts: fitSigns(observed, 'cuts', FEATURE_NAMES), titles: fitSigns(observed, 'titles', TITLE_SIGNS) }
}

/** Groups count the same, whatever their number of recordings. */
function fitSigns(observed: readonly Observed[], what: 'cuts' | 'titles', names: readonly string[]): CutModel {
  const groups = Object.values(Object.groupBy(observed, ({ item }) => item.group)) as Observed[][]
  const all = groups.map((group) => group.flatMap((each) => each[what]))
  const counts = all.map((observations) => observations.filter(({ isCut }) => isCut).length)
  const mean = sum(counts) / counts.length
  const balanced = all.flatMap((observations, group) => {
    return observations.map((observation) => ({ ...observation, weight: mean / (counts[group] ?? 1) }))
  })
  const weights = fitLogistic(balanced, RIDGES[what])
  const named = names.map((name, index) => [name, round(weights[index] ?? 0, 2)] as const)
  return { bias: round(weights.at(-1) ?? 0, 2), weights: Object.fromEntries(named) }
}

/** Fits all that is fitted of the engine without a model. */
export function openFit(gold: readonly GoldItem[]) {
  const observed = gold.map((item): Observed => ({ item, cuts: observe(item), titles: observeTitles(item) }))
  const writers = new Map<string, StepWriter>()
  return {
    /** The engine, fitted to all groups but one. */
    writerWithout: (group: string): StepWriter => {
      const others = observed.filter(({ item }) => item.group !== group)
      const writer = writers.get(group) ?? makeExtractiveStepWriter(fit(others))
      writers.set(group, writer)
      return writer
    },
    writeWeights: () => writeFileSync(WEIGHTS_FILE, `${JSON.stringify(fit(observed), null, 2)}\n`),
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
