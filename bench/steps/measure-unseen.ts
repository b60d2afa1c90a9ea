import { likeRecognised } from '#worker/domain/step/testing/like-recognised.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { bootstrapMean } from '../bootstrap.ts'
import { type Chapters, type GoldItem, type ItemScore, predictSteps, SOURCES } from './predict-steps.ts'

/** What is measured of a recording, under the heads of the table. */
export const FIGURES = {
  'F1@5': (score) => score.tol[5].f1,
  'F1@10': (score) => score.tol[10].f1,
  Pk: (score) => score.pk,
  ratio: (score) => score.countRatio,
  'ratio .6–1.6': (score) => Number(score.countRatio >= 0.6 && score.countRatio <= 1.6),
  tIoU: (score) => score.tiouF1,
  title: (score) => score.titleF1,
} as const satisfies Record<string, (score: ItemScore) => number>

export type Figure = keyof typeof FIGURES
const FIGURE_NAMES = Object.keys(FIGURES) as Figure[]

/** A figure for each recording of each group. */
export type GroupScores = Readonly<Record<string, Readonly<Record<string, ItemScore>>>>

/** By how a recording is known. */
export type Scores = Readonly<Record<string, GroupScores>>

const CONDITIONS = { '': (item) => item, ', no punctuation': withoutPunctuation } as const satisfies Record<
  string,
  (item: GoldItem) => GoldItem
>

/** As a recogniser writes it that knows neither punctuation nor capitals. */
function withoutPunctuation(item: GoldItem): GoldItem {
  const texts = likeRecognised(item.segments.map(({ text }) => ({ id: '', startMs: 0, endMs: 0, text })))
  return { ...item, segments: item.segments.map((segment, at) => ({ ...segment, text: texts[at]?.text ?? '' })) }
}

/**
 * Scores recordings as the product stores their steps, each way that it may know them.
 * @param writerFor the writer that may be used for a group
 */
export async function scoreGroups(
  { scorer, gold }: Chapters,
  writerFor: (group: string) => StepWriter,
): Promise<{ scores: Scores; slowestMs: number }> {
  const scores: Record<string, Record<string, Record<string, ItemScore>>> = {}
  let slowestMs = 0
  for (const source of SOURCES)
    for (const [condition, change] of Object.entries(CONDITIONS))
      for (const item of gold) {
        const predicted = await predictSteps(change(item), writerFor(item.group), source)
        slowestMs = Math.max(slowestMs, predicted.slowestMs)
        const groups = (scores[`${source}${condition}`] ??= {})
        const own = (groups[item.group] ??= {})
        own[item.id] = scorer.scoreItem(item, predicted.stored)
      }
  return { scores, slowestMs }
}

/** Sentence times of these are interpolated, so that nothing is known of silences. */
const INTERPOLATED = 'software how-to'

/** The mean over groups of each figure, all of it and without what has interpolated times, then group by group. */
export function listUnseen(scores: Scores): string[] {
  const rows = Object.entries(scores).flatMap(([name, groups]) => {
    const real = Object.entries(groups).filter(([group]) => group !== INTERPOLATED)
    const isSplit = real.length > 1 && real.length < Object.keys(groups).length
    const parts = isSplit ? [[`${name}, without interpolated times`, Object.fromEntries(real)] as const] : []
    return [[`**${name}**`, groups] as const, ...parts]
  })
  const [captions = {}] = Object.values(scores)
  const groups = Object.entries(captions).map(([group, own]) => {
    return [`captions, ${group} (${Object.keys(own).length})`, { [group]: own }] as const
  })
  return [
    `| mean over groups, interval of 95 % | ${FIGURE_NAMES.join(' | ')} |`,
    `|---|${FIGURE_NAMES.map(() => '---|').join('')}`,
    ...[...rows, ...groups].map(([name, own]) =>
      lineOf(
        name,
        FIGURE_NAMES.map((figure) => estimate(own, figure)),
      ),
    ),
  ]
}

/** By how much each figure has changed on the same recordings. */
export function listChanges(before: Scores, now: Scores): string[] {
  return Object.entries(now).flatMap(([name, groups]) => {
    const others = before[name]
    if (others === undefined) return []
    const cells = FIGURE_NAMES.map((figure) => {
      const differences = Object.entries(groups).map(([group, own]) =>
        Object.entries(own).flatMap(([id, score]) => {
          const other = others[group]?.[id]
          return other === undefined ? [] : [FIGURES[figure](score) - FIGURES[figure](other)]
        }),
      )
      return bootstrapMean(differences.filter((each) => each.length > 0))
    })
    return [lineOf(`change of ${name}`, cells)]
  })
}

function lineOf(name: string, cells: readonly ReturnType<typeof bootstrapMean>[]): string {
  const shown = cells.map(({ mean, low, high }) => `${mean.toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)})`)
  return `| ${name} | ${shown.join(' | ')} |`
}

export function estimate(groups: GroupScores, figure: Figure) {
  return bootstrapMean(Object.values(groups).map((own) => Object.values(own).map(FIGURES[figure])))
}
