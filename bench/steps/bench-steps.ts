import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { CHAPTERS_DIR, loadScorer, type ScoreRow } from './chapters.ts'
import { type Prediction, predictSteps } from './predict-steps.ts'
import { findFailedGates, printTable, toRecord } from './report-steps.ts'

const RECORDED_FILE = new URL('./recorded.json', import.meta.url)

async function main(): Promise<void> {
  if (!existsSync(CHAPTERS_DIR)) {
    console.log(`No benchmark at ${CHAPTERS_DIR}; set ADAPT_CHAPTERS_DIR. Nothing measured.`)
    return
  }
  const { scorer, gold } = await loadScorer()
  const predictions: Prediction[] = []
  for (const item of gold) predictions.push(await predictSteps(item, extractiveStepWriter))
  const score = (kind: 'cut' | 'stored'): { bySource: Record<string, ScoreRow>; macro: ScoreRow } =>
    scorer.aggregate(gold.map((item, index) => scorer.scoreItem(item, predictions[index]?.[kind] ?? [])))
  const slowestMs = Math.max(...predictions.map((prediction) => prediction.slowestMs))
  const cut = score('cut')
  const measured = { cut: cut.macro, stored: score('stored').macro, slowestMs }
  const record = toRecord({ items: gold.length, ...measured })
  if (process.argv.includes('--record')) writeFileSync(RECORDED_FILE, `${JSON.stringify(record.scores, null, 2)}\n`)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ ...record.scores, ...record.speed }, null, 2))
  else printTable({ groups: cut.bySource, ...measured })
  compareWithRecorded(record.scores)
  for (const failure of findFailedGates(cut.macro, slowestMs)) {
    console.error(`GATE MISSED: ${failure}`)
    process.exitCode = 1
  }
}

function compareWithRecorded(scores: Readonly<Record<string, number>>): void {
  if (!existsSync(RECORDED_FILE)) return
  const recorded = JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as Record<string, number>
  for (const [name, value] of Object.entries(scores)) {
    const before = recorded[name]
    if (before === value) continue
    console.error(`${name}: recorded ${before ?? 'nothing'}, now ${value}`)
    process.exitCode = 1
  }
}

await main()
