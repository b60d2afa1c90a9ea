import type { ScoreRow } from './chapters.ts'
import { SOURCES, type Source } from './predict-steps.ts'

type Baseline = Pick<ScoreRow, 'F1@5' | 'F1@10' | 'pk' | 'countRatio' | 'tiouF1' | 'titleF1'>

/** The benchmark's own baselines on the same recordings (its README), mean over groups. */
export const BASELINES: Readonly<Record<string, Baseline>> = {
  'uniform 60 s': { 'F1@5': 0.101, 'F1@10': 0.189, pk: 0.554, countRatio: 2.66, tiouF1: 0.085, titleF1: 0.058 },
  'uniform, oracle count': { 'F1@5': 0.066, 'F1@10': 0.116, pk: 0.51, countRatio: 1, tiouF1: 0.198, titleF1: 0.074 },
  TextTiling: { 'F1@5': 0.209, 'F1@10': 0.316, pk: 0.466, countRatio: 1.75, tiouF1: 0.197, titleF1: 0.09 },
  '… + cues + pauses': { 'F1@5': 0.263, 'F1@10': 0.358, pk: 0.422, countRatio: 1.95, tiouF1: 0.209, titleF1: 0.092 },
  '… + oracle count': { 'F1@5': 0.237, 'F1@10': 0.303, pk: 0.393, countRatio: 1, tiouF1: 0.212, titleF1: 0.065 },
}

/** What the engine must reach before the rules of length are applied; above every baseline by more than noise (.04). */
export const GATES = {
  f1At10Min: 0.42,
  pkMax: 0.4,
  ratioMin: 0.8,
  ratioMax: 1.3,
  /** A step that is heard is named before all is known that the recording is about. */
  titleF1Min: { captions: 0.13, sound: 0.12 },
  slowestMsMax: 2_000,
}

/** Mean scores of one way to know a recording. */
export interface Measured {
  /** Before the rules of length are applied. */
  cut: ScoreRow
  /** The same by group of recordings. */
  groups: Record<string, ScoreRow>
  stored: ScoreRow
  slowestMs: number
}

/** One sentence per gate that these scores miss. */
export function findFailedGates(source: Source, { cut, slowestMs }: Measured): string[] {
  const titleF1Min = GATES.titleF1Min[source]
  const checks: [boolean, string][] = [
    [cut['F1@10'] >= GATES.f1At10Min, `F1@10 ${cut['F1@10'].toFixed(3)} is under ${GATES.f1At10Min}`],
    [cut.pk <= GATES.pkMax, `Pk ${cut.pk.toFixed(3)} is over ${GATES.pkMax}`],
    [cut.countRatio >= GATES.ratioMin, `ratio ${cut.countRatio.toFixed(2)} is under ${GATES.ratioMin}`],
    [cut.countRatio <= GATES.ratioMax, `ratio ${cut.countRatio.toFixed(2)} is over ${GATES.ratioMax}`],
    [cut.titleF1 >= titleF1Min, `title F1 ${cut.titleF1.toFixed(3)} is under ${titleF1Min}`],
    [slowestMs <= GATES.slowestMsMax, `the slowest stretch took ${Math.round(slowestMs)} ms`],
  ]
  return checks.filter(([isMet]) => !isMet).map(([, message]) => `${source}: ${message}`)
}

/** Scores under names that carry their units; `speed` varies from run to run and is not recorded. */
export function toRecord(recordings: number, measured: Readonly<Record<Source, Measured>>) {
  const scores = SOURCES.map((source) => ({
    ...nameScores(`${source}_cut`, measured[source].cut),
    ...nameScores(`${source}_stored`, measured[source].stored),
  }))
  const slowestMs = Math.max(...SOURCES.map((source) => measured[source].slowestMs))
  return {
    scores: Object.assign({ recordings_count: recordings }, ...scores) as Record<string, number>,
    speed: { slowest_stretch_ms: Math.round(slowestMs) },
  }
}

function nameScores(prefix: string, row: ScoreRow): Record<string, number> {
  return {
    [`${prefix}_boundary_f1_at_5s_ratio`]: round(row['F1@5']),
    [`${prefix}_boundary_f1_at_10s_ratio`]: round(row['F1@10']),
    [`${prefix}_pk_ratio`]: round(row.pk),
    [`${prefix}_steps_per_reference_ratio`]: round(row.countRatio),
    [`${prefix}_tiou_f1_ratio`]: round(row.tiouF1),
    [`${prefix}_title_token_f1_ratio`]: round(row.titleF1),
  }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** Prints a writer's scores beside the benchmark's baselines. */
export function printTable(writer: string, measured: Readonly<Record<Source, Measured>>): void {
  console.log('| mean over groups | F1@5 | F1@10 | Pk | ratio | tIoU-F1 | titleF1 |\n|---|---|---|---|---|---|---|')
  for (const [name, row] of Object.entries(BASELINES)) printRow(name, row)
  for (const source of SOURCES) {
    const { cut, groups, stored } = measured[source]
    printRow(`**${writer}, ${source}**`, cut)
    for (const [name, row] of Object.entries(groups)) printRow(`${source}, ${name}`, row)
    printRow(`**${source}, as stored (steps under 300 s)**`, stored)
  }
  for (const source of SOURCES)
    console.log(`\nSlowest stretch, ${source}: ${Math.round(measured[source].slowestMs)} ms`)
}

function printRow(name: string, row: Baseline): void {
  const values = [row['F1@5'], row['F1@10'], row.pk, row.countRatio, row.tiouF1, row.titleF1]
  console.log(`| ${name} | ${values.map((value) => value.toFixed(3)).join(' | ')} |`)
}
