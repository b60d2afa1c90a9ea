import { makeStepWriter } from '#worker/adapters/language/ask-model.ts'
import { openAiChat } from '#worker/adapters/openai-compatible/openai-models.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { mapValues } from '../rounds.ts'
import { compareRecorded, gate, inMs, type Row, round, type Scenario } from '../scenario.ts'
import { hashStepsPrompt, openAnsweredModel } from './answered-model.ts'
import { type Chapters, predictSteps, type ScoreRow, SOURCES, type Source, withChapters } from './predict-steps.ts'
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

/** The benchmark's own baselines on the same recordings (its README), mean over groups, in the same order. */
const BASELINES: Readonly<Record<string, readonly number[]>> = {
  'uniform 60 s': [0.101, 0.189, 0.554, 2.66, 0.085, 0.058],
  'uniform, oracle count': [0.066, 0.116, 0.51, 1, 0.198, 0.074],
  TextTiling: [0.209, 0.316, 0.466, 1.75, 0.197, 0.09],
  '… + cues + pauses': [0.263, 0.358, 0.422, 1.95, 0.209, 0.092],
  '… + oracle count': [0.237, 0.303, 0.393, 1, 0.212, 0.065],
}

/** Mean scores of one way to know a recording: before the rules of length are applied, and as stored. */
async function measure({ scorer, gold }: Chapters, writer: StepWriter, source: Source) {
  const cut: unknown[] = []
  const stored: unknown[] = []
  let slowestMs = 0
  for (const item of gold) {
    const predicted = await predictSteps(item, writer, source)
    cut.push(scorer.scoreItem(item, predicted.cut))
    stored.push(scorer.scoreItem(item, predicted.stored))
    slowestMs = Math.max(slowestMs, predicted.slowestMs)
  }
  const { macro, bySource } = scorer.aggregate(cut)
  return { source, cut: macro, groups: bySource, stored: scorer.aggregate(stored).macro, slowestMs }
}

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

type Measured = Awaited<ReturnType<typeof measure>>

/** A step of audio is named before all is known that the recording is about. */
const TITLE_F1_MIN = { captions: 0.13, audio: 0.12 }

/** What the engine must reach before the rules of length are applied; above every baseline by more than noise (.04). */
function listGates({ source, cut, slowestMs }: Measured): Row[] {
  const score = (value: number) => value.toFixed(3)
  const ratio = cut.countRatio.toFixed(2)
  return [
    gate(`${source}: F1@10`, cut['F1@10'], { atLeast: 0.42 }, score),
    gate(`${source}: Pk`, cut.pk, { atMost: 0.4 }, score),
    gate(`${source}: ratio`, cut.countRatio, { atLeast: 0.8 }, ratio),
    gate(`${source}: ratio`, cut.countRatio, { atMost: 1.3 }, ratio),
    gate(`${source}: title F1`, cut.titleF1, { atLeast: TITLE_F1_MIN[source] }, score),
    gate(`${source}: slowest section`, slowestMs, { atMost: 2_000 }, inMs),
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

function listScores(writer: string, { source, cut, groups, stored }: Measured): string[] {
  return [
    scoreLine(`**${writer}, ${source}**`, cut),
    ...Object.entries(groups).map(([name, row]) => scoreLine(`${source}, ${name}`, row)),
    scoreLine(`**${source}, as stored (steps under 300 s)**`, stored),
  ]
}

/** A hosted model where one is configured as the product reads it; it has no recorded scores and no gates. */
function chooseWriter(): StepWriter {
  const { LANGUAGE_BASE_URL: baseUrl = '', LANGUAGE_API_KEY: apiKey = '', LANGUAGE_MODEL: model = '' } = process.env
  return baseUrl === '' ? extractiveStepWriter : makeStepWriter(openAiChat({ baseUrl, apiKey, model }))
}

/** The pipeline's steps on recordings whose chapters people have marked. */
export const scenario: Scenario = {
  options: { record: { type: 'boolean' }, recognised: { type: 'boolean' } },
  measure: ({ values, folder }) =>
    withChapters(async (chapters) => {
      const writer = chooseWriter()
      const measured: Measured[] = []
      for (const source of SOURCES) measured.push(await measure(chapters, writer, source))
      const model = await measureModel(chapters)
      // Minutes of a recogniser's work, so it is asked for.
      const recognised = values['recognised'] === true ? await measureRecognised(chapters.gold, folder) : []
      const scores: Record<string, number> = {
        recordings_count: chapters.gold.length,
        with_model_recordings_count: model.recordings.length,
        ...nameScores('with_model', model.outlined),
        ...nameScores('with_model_unseen', model.unseenOutlined),
      }
      for (const { source, cut, stored } of measured)
        Object.assign(scores, nameScores(`${source}_cut`, cut), nameScores(`${source}_stored`, stored))
      const recorded = new URL('./recorded.json', import.meta.url)
      const isOurs = writer === extractiveStepWriter
      const gates = isOurs
        ? [...compareRecorded(recorded, scores, values), ...measured.flatMap(listGates), ...listModelGates(model)]
        : []
      return {
        // How long it takes varies from run to run and is not recorded.
        json: { ...scores, slowest_section_ms: Math.round(Math.max(...measured.map(({ slowestMs }) => slowestMs))) },
        table: [
          `| mean over groups | ${SCORES.map(([, head]) => head).join(' | ')} |`,
          '|---|---|---|---|---|---|---|',
          ...Object.entries(BASELINES).map(([name, row]) => lineOf(name, row)),
          ...measured.flatMap((each) => listScores(writer.name, each)),
          ...listModelScores(model),
          ...measured.map(({ source, slowestMs }) => `\nSlowest section, ${source}: ${inMs(slowestMs)}`),
          ...gates,
          ...recognised,
        ],
      }
    }),
}
