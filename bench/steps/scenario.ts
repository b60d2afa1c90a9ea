import { makeStepWriter } from '#worker/adapters/language/ask-model.ts'
import { openAiChat } from '#worker/adapters/openai-compatible/openai-models.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { mapValues } from '../rounds.ts'
import { compareRecorded, gate, inMs, type Row, round, type Scenario } from '../scenario.ts'
import { hashStepsPrompt, openAnsweredModel } from './answered-model.ts'
import { openFit } from './fit-steps.ts'
import { estimate, FIGURES, type Figure, listUnseen, type Scores, scoreGroups } from './measure-unseen.ts'
import { type Chapters, predictSteps, type ScoreRow, withChapters } from './predict-steps.ts'
import { measureRecognised } from './recognised.ts'

/** What is scored, as the benchmark's scorer, the table and the recorded figures name it. */
const SCORES = [
  ['F1@5', 'F1@5', 'boundary_f1_at_5s'],
  ['F1@10', 'F1@10', 'boundary_f1_at_10s'],
  ['pk', 'Pk', 'pk'],
  ['countRatio', 'ratio', 'steps_per_reference'],
  ['tiouF1', 'tIoU-F1', 'tiou_f1'],
  ['titleF1', 'titleF1', 'title_token_f1'],
] as const

/**
 * Mean scores with a model whose answers to the product's own prompts were written down, beside those without one. All
 * sections of captions are written at the same time, so no prompt knows the titles of another.
 */
async function measureModel({ scorer, gold }: Chapters) {
  const model = openAnsweredModel(new URL('./answers.json', import.meta.url), hashStepsPrompt)
  const scored = {
    without: [] as unknown[],
    sections: [] as unknown[],
    outlined: [] as unknown[],
    unseenWithout: [] as unknown[],
    unseenOutlined: [] as unknown[],
  }
  for (const item of gold.filter(({ id }) => model.recordings.includes(id))) {
    const without = await predictSteps(item, extractiveStepWriter, 'captions')
    const withModel = await predictSteps(item, model.writerFor(item.id), 'captions')
    scored.without.push(scorer.scoreItem(item, without.stored))
    scored.sections.push(scorer.scoreItem(item, withModel.unoutlined))
    scored.outlined.push(scorer.scoreItem(item, withModel.stored))
    if (model.lookedAt.includes(item.id)) continue
    scored.unseenWithout.push(scored.without.at(-1))
    scored.unseenOutlined.push(scored.outlined.at(-1))
  }
  const meanOf = (results: unknown[]) => scorer.aggregate(results).macro
  return { ...model, ...mapValues(scored, meanOf) }
}

type MeasuredModel = Awaited<ReturnType<typeof measureModel>>

/** What a model has to gain over the engine without one, on the same recordings, as stored. */
function listModelGates({ unanswered, without, outlined }: MeasuredModel): Row[] {
  const gate3 = (what: string, value: number, limit: Parameters<typeof gate>[2]) =>
    gate(`with a model: ${what}`, value, limit, value.toFixed(3))
  const named = unanswered.length === 0 ? 'none' : unanswered.join(', ')
  return [
    gate('with a model: prompts without an answer', unanswered.length, { atMost: 0 }, named),
    gate3('F1@10 over none', outlined['F1@10'] - without['F1@10'], { atLeast: 0.12 }),
    gate3('Pk under none', without.pk - outlined.pk, { atLeast: 0.05 }),
    gate3('ratio', outlined.countRatio, { atLeast: 0.9 }),
    gate3('ratio', outlined.countRatio, { atMost: 1.1 }),
    gate3('tIoU-F1', outlined.tiouF1, { atLeast: 0.43 }),
    gate3('title F1', outlined.titleF1, { atLeast: 0.28 }),
  ]
}

function listModelScores({ recordings, lookedAt, answeredBy, ...scores }: MeasuredModel): string[] {
  const { without, sections, outlined, unseenWithout, unseenOutlined } = scores
  const unseen = recordings.length - lookedAt.length
  return [
    scoreLine(`**${recordings.length} recordings as stored, without a model**`, without),
    scoreLine('the same with a model, section by section', sections),
    scoreLine(`**the same, outlined** (answered by ${[...answeredBy].join('; ')})`, outlined),
    scoreLine(`${unseen} of them whose marks were not looked at, without a model`, unseenWithout),
    scoreLine('the same, outlined', unseenOutlined),
  ]
}

function nameScores(prefix: string, row: ScoreRow): Record<string, number> {
  return Object.fromEntries(SCORES.map(([key, , name]) => [`${prefix}_${name}_ratio`, round(row[key], 3)]))
}

const lineOf = (name: string, values: readonly number[]) =>
  `| ${name} | ${values.map((value) => value.toFixed(3)).join(' | ')} |`

function scoreLine(name: string, row: ScoreRow): string {
  const values = SCORES.map(([key]) => row[key])
  return lineOf(name, values)
}

/** A hosted model where one is configured as the product reads it; it has no recorded scores and no gates. */
function chooseWriter(): StepWriter {
  const { LANGUAGE_BASE_URL: baseUrl = '', LANGUAGE_API_KEY: apiKey = '', LANGUAGE_MODEL: model = '' } = process.env
  return baseUrl === '' ? extractiveStepWriter : makeStepWriter(openAiChat({ baseUrl, apiKey, model }))
}

/** What a section may take to be written without a model. */
const SLOWEST_SECTION_MS = 2_000

/** The scores that are kept with the code, so that a change shows what it does to them. */
function nameUnseen(scores: Scores): Record<string, number> {
  const named = Object.entries(scores).flatMap(([name, groups]) =>
    (Object.keys(FIGURES) as Figure[]).map((figure) => {
      const key = `${name} ${figure}`.replaceAll(/[^\w.]+/g, '_').toLowerCase()
      return [`${key}_ratio`, round(estimate(groups, figure).mean, 3)] as const
    }),
  )
  return Object.fromEntries(named)
}

/** Steps with the answers of a model that were written down. */
async function measureAnswered(chapters: Chapters) {
  const model = await measureModel(chapters)
  const scores = {
    with_model_recordings_count: model.recordings.length,
    ...nameScores('with_model', model.outlined),
    ...nameScores('with_model_unseen', model.unseenOutlined),
  }
  const head = `| as stored, mean over groups | ${SCORES.map(([, name]) => name).join(' | ')} |\n|---|---|---|---|---|---|---|`
  return { scores, table: [head, ...listModelScores(model), ...listModelGates(model)] }
}

/**
 * The pipeline's steps on recordings whose chapters people have marked. Of those that we fit to, each group is written
 * with weights that were fitted to the others; of another folder (`--data`), with the weights of the product.
 */
export const scenario: Scenario = {
  options: { record: { type: 'boolean' }, recognised: { type: 'boolean' }, data: { type: 'string' } },
  measure: ({ values, folder }) =>
    withChapters(
      async (chapters) => {
        const writer = chooseWriter()
        const isOther = typeof values['data'] === 'string'
        const isFitted = writer === extractiveStepWriter && !isOther
        const { scores, slowestMs } = await scoreGroups(
          chapters,
          isFitted ? openFit(chapters.gold).writerWithout : () => writer,
        )
        const model = isOther ? null : await measureAnswered(chapters)
        // Minutes of a recogniser's work, so it is asked for.
        const recognised = values['recognised'] === true ? await measureRecognised(chapters.gold, folder) : []
        const all = { recordings_count: chapters.gold.length, ...nameUnseen(scores), ...model?.scores }
        const recorded = new URL('./recorded.json', import.meta.url)
        return {
          // How long it takes varies from run to run and is not recorded.
          json: { ...all, slowest_section_ms: Math.round(slowestMs) },
          table: [
            ...listUnseen(scores),
            ...(model?.table ?? [
              'Not measured: steps with a model, whose answers are written down for other recordings.',
            ]),
            ...(writer === extractiveStepWriter
              ? [gate('slowest section', slowestMs, { atMost: SLOWEST_SECTION_MS }, inMs)]
              : []),
            ...(isFitted ? compareRecorded(recorded, all, values) : []),
            ...recognised,
          ],
        }
      },
      typeof values['data'] === 'string' ? values['data'] : undefined,
    ),
}
