import { existsSync, writeFileSync } from 'node:fs'
import { openAiStepWriter } from '#worker/adapters/openai-compatible/openai-step-writer.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'
import { compareWithRecorded } from '../shared/compare-with-recorded.ts'
import { CHAPTERS_DIR, loadScorer } from './chapters.ts'
import { type Prediction, predictSteps, SOURCES, type Source } from './predict-steps.ts'
import { findFailedGates, type Measured, printTable, toRecord } from './report-steps.ts'

const RECORDED_FILE = new URL('./recorded.json', import.meta.url)

/** Measures the pipeline's steps on recordings whose chapters people have marked. */
async function main(): Promise<void> {
  if (!existsSync(CHAPTERS_DIR)) {
    console.log(`No benchmark at ${CHAPTERS_DIR}; set ADAPT_CHAPTERS_DIR. Nothing measured.`)
    return
  }
  const writer = chooseWriter()
  const benchmark = { ...(await loadScorer()), writer }
  const measured = { captions: await measure(benchmark, 'captions'), sound: await measure(benchmark, 'sound') }
  const record = toRecord(benchmark.gold.length, measured)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ ...record.scores, ...record.speed }, null, 2))
  else printTable(writer.name, measured)
  if (writer !== extractiveStepWriter) return
  if (process.argv.includes('--record')) writeFileSync(RECORDED_FILE, `${JSON.stringify(record.scores, null, 2)}\n`)
  compareWithRecorded(RECORDED_FILE, record.scores)
  for (const failure of SOURCES.flatMap((source) => findFailedGates(source, measured[source]))) {
    console.error(`GATE MISSED: ${failure}`)
    process.exitCode = 1
  }
}

/** A hosted model where one is configured as the product reads it; it has no recorded scores and no gates. */
function chooseWriter(): StepWriter {
  const { LANGUAGE_BASE_URL: baseUrl = '', LANGUAGE_API_KEY: apiKey = '', LANGUAGE_MODEL: model = '' } = process.env
  return baseUrl === '' ? extractiveStepWriter : openAiStepWriter({ baseUrl, apiKey, model })
}

interface Benchmark extends Awaited<ReturnType<typeof loadScorer>> {
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

await main()
