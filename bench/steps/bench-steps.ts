import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { CHAPTERS_DIR, type GoldItem, loadScorer, type Mark, readSegments, type ScoreRow } from './chapters.ts'
import { findFailedGates, printTable, toRecord } from './report-steps.ts'

const RECORDED_FILE = new URL('./recorded.json', import.meta.url)

interface Prediction {
  raw: Mark[]
  stored: Mark[]
  durationMs: number
}

/** Cuts and names one recording, as the engine proposes it and as the pipeline stores it. */
async function predict(item: GoldItem): Promise<Prediction> {
  const segments = readSegments(item)
  const startedMs = performance.now()
  const signal = AbortSignal.timeout(60_000)
  const context = { moduleTitle: item.title, language: 'en', glossary: null, segments }
  const drafts = await extractiveStepWriter.writeSteps(context, signal)
  const durationMs = performance.now() - startedMs
  const startOf = new Map(segments.map((segment) => [segment.id, segment.startMs / 1_000]))
  const raw = drafts.map((draft) => ({ start: startOf.get(draft.segmentIds[0] ?? '') ?? 0, title: draft.title }))
  const steps = await composeSteps(extractiveStepWriter, {
    ...context,
    run: 1,
    durationMs: item.durationS * 1_000,
    signal,
  })
  return { raw, stored: steps.map((step) => ({ start: step.startMs / 1_000, title: step.title })), durationMs }
}

async function main(): Promise<void> {
  if (!existsSync(CHAPTERS_DIR)) {
    console.log(`No benchmark at ${CHAPTERS_DIR}; set ADAPT_CHAPTERS_DIR. Nothing measured.`)
    return
  }
  const { scorer, gold } = await loadScorer()
  const predictions: Prediction[] = []
  for (const item of gold) predictions.push(await predict(item))
  const score = (kind: 'raw' | 'stored'): { bySource: Record<string, ScoreRow>; macro: ScoreRow } =>
    scorer.aggregate(gold.map((item, index) => scorer.scoreItem(item, predictions[index]?.[kind] ?? [])))
  const slowestMs = Math.max(...predictions.map((prediction) => prediction.durationMs))
  const raw = score('raw')
  const record = toRecord({ items: gold.length, raw: raw.macro, stored: score('stored').macro, slowestMs })
  if (process.argv.includes('--record')) writeFileSync(RECORDED_FILE, `${JSON.stringify(record.scores, null, 2)}\n`)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ ...record.scores, ...record.speed }, null, 2))
  else printTable({ groups: raw.bySource, raw: raw.macro, stored: score('stored').macro, slowestMs })
  compareWithRecorded(record.scores)
  for (const failure of findFailedGates(raw.macro, slowestMs)) {
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
