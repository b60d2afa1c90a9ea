import { makeStepWriter } from '#worker/adapters/language/ask-model.ts'
import { openAiChat } from '#worker/adapters/openai-compatible/openai-chat.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { type Bench, type Row, record, rowsOfRecorded, type Scenario } from '../scenario.ts'
import {
  type Chapters,
  type Prediction,
  predictSteps,
  type ScoreRow,
  SOURCES,
  type Source,
  withChapters,
} from './predict-steps.ts'

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
  /** A step of audio is named before all is known that the recording is about. */
  titleF1Min: { captions: 0.13, audio: 0.12 },
  slowestMsMax: 2_000,
}

/** Mean scores of one way to know a recording. */
interface Measured {
  /** Before the rules of length are applied. */
  cut: ScoreRow
  /** The same by group of recordings. */
  groups: Record<string, ScoreRow>
  stored: ScoreRow
  slowestMs: number
}

function listGates(source: Source, { cut, slowestMs }: Measured): Row[] {
  const { f1At10Min, pkMax, ratioMin, ratioMax, slowestMsMax } = GATES
  const titleF1Min = GATES.titleF1Min[source]
  const row = (what: string, value: string, isMet: boolean): Row => ({ what: `${source}: ${what}`, value, isMet })
  return [
    row('F1@10', `${cut['F1@10'].toFixed(3)} (≥ ${f1At10Min})`, cut['F1@10'] >= f1At10Min),
    row('Pk', `${cut.pk.toFixed(3)} (≤ ${pkMax})`, cut.pk <= pkMax),
    row('ratio', `${cut.countRatio.toFixed(2)} (≥ ${ratioMin})`, cut.countRatio >= ratioMin),
    row('ratio', `${cut.countRatio.toFixed(2)} (≤ ${ratioMax})`, cut.countRatio <= ratioMax),
    row('title F1', `${cut.titleF1.toFixed(3)} (≥ ${titleF1Min})`, cut.titleF1 >= titleF1Min),
    row('slowest section', `${Math.round(slowestMs)} ms (≤ ${slowestMsMax})`, slowestMs <= slowestMsMax),
  ]
}

/** Scores under names that carry their units; `speed` varies from run to run and is not recorded. */
function toRecord(recordings: number, measured: Readonly<Record<Source, Measured>>) {
  const scores = SOURCES.map((source) => ({
    ...nameScores(`${source}_cut`, measured[source].cut),
    ...nameScores(`${source}_stored`, measured[source].stored),
  }))
  const slowestMs = Math.max(...SOURCES.map((source) => measured[source].slowestMs))
  return {
    scores: Object.assign({ recordings_count: recordings }, ...scores) as Record<string, number>,
    speed: { slowest_section_ms: Math.round(slowestMs) },
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
function printTable(writer: string, measured: Readonly<Record<Source, Measured>>): void {
  console.log('| mean over groups | F1@5 | F1@10 | Pk | ratio | tIoU-F1 | titleF1 |\n|---|---|---|---|---|---|---|')
  for (const [name, row] of Object.entries(BASELINES)) printRow(name, row)
  for (const source of SOURCES) {
    const { cut, groups, stored } = measured[source]
    printRow(`**${writer}, ${source}**`, cut)
    for (const [name, row] of Object.entries(groups)) printRow(`${source}, ${name}`, row)
    printRow(`**${source}, as stored (steps under 300 s)**`, stored)
  }
  for (const source of SOURCES)
    console.log(`\nSlowest section, ${source}: ${Math.round(measured[source].slowestMs)} ms`)
}

function printRow(name: string, row: Baseline): void {
  const values = [row['F1@5'], row['F1@10'], row.pk, row.countRatio, row.tiouF1, row.titleF1]
  console.log(`| ${name} | ${values.map((value) => value.toFixed(3)).join(' | ')} |`)
}

const RECORDED_FILE = new URL('./recorded.json', import.meta.url)

interface Result {
  writer: StepWriter
  recordings: number
  measured: Record<Source, Measured>
}

function measureAll({ values }: Bench): Promise<Result | null> {
  return withChapters(async ({ scorer, gold }) => {
    const writer = chooseWriter()
    const benchmark = { scorer, gold, writer }
    const measured = { captions: await measure(benchmark, 'captions'), audio: await measure(benchmark, 'audio') }
    const isOurs = writer === extractiveStepWriter
    if (values['record'] && isOurs) record(RECORDED_FILE, toRecord(gold.length, measured).scores)
    return { writer, recordings: gold.length, measured }
  })
}

/** A hosted model where one is configured as the product reads it; it has no recorded scores and no gates. */
function chooseWriter(): StepWriter {
  const { LANGUAGE_BASE_URL: baseUrl = '', LANGUAGE_API_KEY: apiKey = '', LANGUAGE_MODEL: model = '' } = process.env
  return baseUrl === '' ? extractiveStepWriter : makeStepWriter(openAiChat({ baseUrl, apiKey, model }))
}

interface Benchmark extends Chapters {
  writer: StepWriter
}

async function measure({ scorer, gold, writer }: Benchmark, source: Source): Promise<Measured> {
  const predictions: Prediction[] = []
  for (const item of gold) predictions.push(await predictSteps(item, writer, source))
  const score = (kind: 'cut' | 'stored') =>
    scorer.aggregate(gold.map((item, index) => scorer.scoreItem(item, predictions[index]?.[kind] ?? [])))
  const { macro: cut, bySource: groups } = score('cut')
  const slowestMs = Math.max(...predictions.map((prediction) => prediction.slowestMs))
  return { cut, groups, stored: score('stored').macro, slowestMs }
}

/** The pipeline's steps on recordings whose chapters people have marked. */
export const steps: Scenario<Result> = {
  options: { record: { type: 'boolean' } },
  measure: measureAll,
  toJson({ recordings, measured }) {
    const { scores, speed } = toRecord(recordings, measured)
    return { ...scores, ...speed }
  },
  print: ({ writer, measured }) => printTable(writer.name, measured),
  rows({ writer, recordings, measured }) {
    if (writer !== extractiveStepWriter) return []
    const { scores } = toRecord(recordings, measured)
    return [
      ...rowsOfRecorded(RECORDED_FILE, scores),
      ...SOURCES.flatMap((source) => listGates(source, measured[source])),
    ]
  },
}
