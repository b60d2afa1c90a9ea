import { existsSync, writeFileSync } from 'node:fs'
import { answerExtractively } from '#worker/domain/tutor/answer-extractively.ts'
import { checkCitations } from '#worker/domain/tutor/check-citations.ts'
import { ANSWERABLE_FLOOR, judgeAnswerable } from '#worker/domain/tutor/judge-answerable.ts'
import { openIndex, type TutorIndex } from '#worker/domain/tutor/open-index.ts'
import { rankPassages } from '#worker/domain/tutor/rank-passages.ts'
import { compareWithRecorded } from '../shared/compare-with-recorded.ts'
import { CHAPTERS_DIR, type GoldItem, loadScorer, readSegments } from '../steps/chapters.ts'
import { measureSpeed } from './measure-speed.ts'
import { loadQuestions, type Question, type QuestionSets, SET_NAMES } from './questions.ts'
import { findFailedGates, type Measured, printTable, toRecord } from './report-answers.ts'
import { overlaps, scoreAnswers } from './score-answers.ts'

const RECORDED_FILE = new URL('./recorded.json', import.meta.url)

/** Measures the tutor without a model on questions whose answers people have marked. */
async function main(): Promise<void> {
  if (!existsSync(CHAPTERS_DIR)) {
    console.log(`No benchmark at ${CHAPTERS_DIR}; set ADAPT_CHAPTERS_DIR. Nothing measured.`)
    return
  }
  const { gold } = await loadScorer()
  const indexes = new Map(gold.map((item) => [item, openIndex({ segments: readSegments(item), steps: [] })]))
  const measured = measure(loadQuestions(gold), indexes)
  const speed = measureSpeed(gold)
  const record = toRecord(measured)
  if (process.argv.includes('--json')) console.log(JSON.stringify({ ...record, ...speed }, null, 2))
  else printTable(measured, speed)
  if (process.argv.includes('--record')) writeFileSync(RECORDED_FILE, `${JSON.stringify(record, null, 2)}\n`)
  compareWithRecorded(RECORDED_FILE, record)
  for (const failure of findFailedGates(measured, speed)) {
    console.error(`GATE MISSED: ${failure}`)
    process.exitCode = 1
  }
}

function measure(sets: QuestionSets, indexes: ReadonlyMap<GoldItem, TutorIndex>): Measured {
  const measured = SET_NAMES.map((name) => {
    const asked = sets[name].map((question) => {
      const index = indexes.get(question.item) as TutorIndex
      const ranking = rankPassages(index, question)
      return { index, question, passages: ranking.passages, chance: judgeAnswerable(ranking) }
    })
    return [name, { ...scoreAnswers(asked, ANSWERABLE_FLOOR), ...measureAnswers(sets[name], indexes) }] as const
  })
  return Object.fromEntries(measured) as Measured
}

/**
 * What people get to see: the share of answerable questions whose answer quotes the place where it is said, and the
 * share of all told sentences that their citations support.
 */
function measureAnswers(questions: readonly Question[], indexes: ReadonlyMap<GoldItem, TutorIndex>) {
  let told = 0
  let supported = 0
  let quoted = 0
  for (const question of questions) {
    const index = indexes.get(question.item) as TutorIndex
    const { sentences } = answerExtractively(index, question)
    told += sentences.length
    supported += checkCitations(sentences, index).filter(({ segmentIds }) => segmentIds.length > 0).length
    const cited = new Set(sentences.flatMap(({ segmentIds }) => segmentIds))
    if (index.segments.some((segment) => cited.has(segment.id) && overlaps(segment, question))) quoted += 1
  }
  return { quoted: quoted / questions.filter(({ span }) => span !== null).length, cited: supported / told }
}

await main()
