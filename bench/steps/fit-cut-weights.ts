import { writeFileSync } from 'node:fs'
import { FEATURE_NAMES, measureFeatures } from '#worker/domain/step/extractive/cut-features.ts'
import { type CutModel, cutSection } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { readSentences } from '#worker/domain/step/extractive/sentences.ts'
import { fitLogistic, type Observation } from '../regression.ts'
import { round, sum } from '../scenario.ts'
import { type Chapters, type GoldItem, readSegments, withChapters } from './predict-steps.ts'

const WEIGHTS_FILE = new URL('../../worker/domain/step/extractive/cut-weights.json', import.meta.url)
/** Chosen by cross-validation among 5, 10, 20 and 40. */
const RIDGE = 10
/** A mark further from every sentence start than this marks no sentence. */
const MARK_REACH_S = 6
/** Sentences this near to a mark are neither cuts nor counterexamples: people's marks are no sharper. */
const DOUBTFUL_S = 8
/** Folds of the cross-validation over recordings; about 12 recordings are held out at a time. */
const FOLDS = 6
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

/** The marks of a recording that a model cuts as a whole. */
function cutWith(model: CutModel, item: GoldItem) {
  const whole = { before: [], segments: readSegments(item), durationMs: item.durationS * 1_000 }
  const { spans } = cutSection(whole, model)
  return spans.map((span) => ({ start: (span.segments[0]?.startMs ?? 0) / 1_000, title: '' }))
}

function main({ scorer, gold }: Chapters): void {
  const observed = new Map(gold.map((item) => [item, observe(item)]))
  if (process.argv.includes('--write')) writeFileSync(WEIGHTS_FILE, `${JSON.stringify(fit(gold, observed), null, 2)}\n`)
  console.log('| held out | F1@5 | F1@10 | Pk | ratio |\n|---|---|---|---|---|')
  const heldOut = {
    'one group': Map.groupBy(gold, (item) => item.group).values(),
    'one sixth': Map.groupBy(gold, (item) => gold.indexOf(item) % FOLDS).values(),
  }
  for (const [label, parts] of Object.entries(heldOut)) {
    const results = [...parts].flatMap((part) => {
      const others = gold.filter((item) => !part.includes(item))
      const model = fit(others, observed)
      return part.map((item) => scorer.scoreItem(item, cutWith(model, item)))
    })
    const { macro, bySource } = scorer.aggregate(results)
    for (const [name, row] of Object.entries({ 'mean over groups': macro, ...bySource })) {
      const values = [row['F1@5'], row['F1@10'], row.pk, row.countRatio].map((value) => value.toFixed(3))
      console.log(`| ${label}, ${name} | ${values.join(' | ')} |`)
    }
  }
}

await withChapters(main)
