import { ACCEPTANCE, hasAcceptanceMedia } from '#local/speech/acceptance.ts'
import { alignCells, type Bench, gate, inMb, inS, inTimes, type Row, type Scenario, sum } from '../scenario.ts'
import { type Measured, measureAll, POCKETSPHINX } from './measure.ts'
import { findRecordings, joinRecordings, openRecording, type Recording } from './recordings.ts'

const MODELS = ['tiny.en', 'base', POCKETSPHINX]

/** What Whisper has to keep over all recordings. What cutting costs in words says little where there are few seams. */
const GATES = {
  timeRatio: { atMost: 1.4 },
  sent: { atMost: 1.1 },
  seamErrorsPer20: { atMost: 1 },
  morePoints: { atMost: 0.3 },
}
const ENOUGH_SEAMS = 20
/** Recordings shorter than two chunks have no part in sums over what is cut. */
const CUT_FROM_S = 60

/** Errors that are new in chunks, near cuts and in as much time elsewhere: models differ by chance where nothing is cut. */
function countSeamErrors(transcribed: readonly Measured[]) {
  const total = (name: keyof Measured['pipeline']['seams']) =>
    sum(transcribed.map(({ pipeline }) => pipeline.seams[name]))
  const seams = total('seams')
  const nearPer20 = (20 * total('near')) / seams
  const elsewherePer20 = ((total('elsewhere') / total('elsewhereMs')) * total('nearMs') * 20) / seams
  return { seams, nearPer20, elsewherePer20, excessPer20: nearPer20 - elsewherePer20 }
}

/** Of processor time where it is known: a busy machine lengthens only the other one. */
function timeRatio(transcribed: readonly Measured[]): number {
  const total = (pick: (each: Measured) => Measured['whole']) =>
    sum(transcribed.map(pick).map(({ cpuS, wallS }) => cpuS ?? wallS))
  return total(({ pipeline }) => pipeline.times) / total(({ whole }) => whole)
}

function wrongShares(transcribed: readonly Measured[]) {
  const words = sum(transcribed.map((each) => each.words))
  const whole = sum(transcribed.map(({ wholeWrongWords }) => wholeWrongWords)) / words
  return { whole, pipeline: sum(transcribed.map(({ pipeline }) => pipeline.wrongWords)) / words }
}

function toJson(transcribed: readonly Measured[]) {
  const { seams, nearPer20, elsewherePer20 } = countSeamErrors(transcribed)
  const wrong = wrongShares(transcribed)
  const durationS = sum(transcribed.map((each) => each.durationS))
  return {
    durationS,
    wholeWrongShare: wrong.whole,
    pipelineWrongShare: wrong.pipeline,
    seams,
    seamErrorsPer20Seams: seams === 0 ? null : nearPer20,
    sameErrorsElsewherePer20Seams: seams === 0 ? null : elsewherePer20,
    wholeTimePerLength: sum(transcribed.map(({ whole }) => whole.wallS)) / durationS,
    pipelineTimePerLength: sum(transcribed.map(({ pipeline }) => pipeline.times.wallS)) / durationS,
    pipelineTimePerWhole: timeRatio(transcribed),
    sentPerLength: sum(transcribed.map(({ sentS }) => sentS)) / durationS,
    firstWordsS: Math.max(...transcribed.map(({ pipeline }) => pipeline.firstWordsS)),
    residentMb:
      transcribed.reduce(
        (most, { whole, pipeline }) => Math.max(most, whole.residentMb ?? 0, pipeline.times.residentMb ?? 0),
        0,
      ) || null,
  }
}

type Figures = ReturnType<typeof toJson>

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const orDash = (figure: number | null, show: (figure: number) => string) => (figure === null ? '–' : show(figure))
const inCount = (figure: number) => figure.toFixed(1)

const HEAD = [
  'recording, chunks, model',
  'wrong: whole',
  'pipeline',
  'seams',
  'errors per 20',
  'elsewhere',
  'time: whole',
  'pipeline',
  'ratio',
  'sent',
  'first words',
  'memory',
]

function toCells(name: string, figures: Figures): string[] {
  return [
    name,
    percent(figures.wholeWrongShare),
    percent(figures.pipelineWrongShare),
    String(figures.seams),
    orDash(figures.seamErrorsPer20Seams, inCount),
    orDash(figures.sameErrorsElsewherePer20Seams, inCount),
    inTimes(figures.wholeTimePerLength),
    inTimes(figures.pipelineTimePerLength),
    inTimes(figures.pipelineTimePerWhole),
    inTimes(figures.sentPerLength),
    inS(figures.firstWordsS),
    orDash(figures.residentMb, inMb),
  ]
}

/** Groups what was transcribed in the same way by the same model. */
function groupByModel(transcribed: readonly Measured[]) {
  return [...Map.groupBy(transcribed, ({ chunks, model }) => `all of a minute and more, ${chunks}, ${model}`)]
}

function judge(name: string, transcribed: readonly Measured[]): Row[] {
  const { seams, excessPer20 } = countSeamErrors(transcribed)
  const wrong = wrongShares(transcribed)
  const morePoints = 100 * (wrong.pipeline - wrong.whole)
  const sent = sum(transcribed.map(({ sentS }) => sentS)) / sum(transcribed.map(({ durationS }) => durationS))
  const rows = [
    gate(`${name}: time of the pipeline against the whole`, timeRatio(transcribed), GATES.timeRatio, inTimes),
    gate(`${name}: audio sent`, sent, GATES.sent, inTimes),
  ]
  if (seams < ENOUGH_SEAMS) return rows
  return [
    ...rows,
    gate(`${name}: points more of the words wrong`, morePoints, GATES.morePoints, (points) => points.toFixed(2)),
    gate(`${name}: errors that seams add, per 20`, excessPer20, GATES.seamErrorsPer20, inCount),
  ]
}

const EXPLANATION = `
Whole: the file in one call. Pipeline: cut, transcribed and merged as in the product, one call after the other. Errors
per 20 seams: words wrong within 3 s of a cut that the same model's transcript of the whole does not have wrong;
elsewhere: the same in as much time away from cuts, since a model that reads other windows differs by chance. Time:
against the length; the ratio is of processor time. First words: those of the first step, from the first call on.
Memory: of the engine's process.`

type Values = Bench['values']

/** Both orders, so that the cuts lie elsewhere. */
async function joinInBothOrders(recordings: readonly Recording[], folder: string): Promise<Recording[]> {
  return [await joinRecordings(recordings, folder), await joinRecordings(recordings.toReversed(), folder)]
}

const listOf = (value: Values[string]): string[] => [value ?? []].flat().flatMap((each) => String(each).split(','))

/** What is transcribed of real recordings: whole and through the product's own cutting and merging, by each model. */
export const scenario: Scenario = {
  options: {
    models: { type: 'string', multiple: true },
    recordings: { type: 'string', multiple: true },
    folder: { type: 'string', multiple: true },
    'chunk-s': { type: 'string', multiple: true },
    joined: { type: 'boolean' },
  },
  tools: ['ffmpeg'],
  async measure({ folder, values }) {
    const dirs = [...(hasAcceptanceMedia() ? [ACCEPTANCE] : []), ...listOf(values['folder'])]
    const named = listOf(values['recordings'])
    const found = (await Promise.all(dirs.map((dir) => findRecordings(dir, named)))).flat()
    if (found.length === 0) {
      console.error(`There are no recordings: ADAPT_ACCEPTANCE_DIR or --folder names a folder with some.`)
      return null
    }
    const recordings = values['joined']
      ? await joinInBothOrders(found, folder)
      : await Promise.all(found.map((each) => openRecording(each, folder)))
    const lengths = listOf(values['chunk-s']).map((seconds) => Number(seconds) * 1000)
    const models = listOf(values['models'])
    const transcribed = await measureAll({
      models: models.length > 0 ? models : MODELS,
      recordings,
      chunkLengthsMs: lengths.length > 0 ? lengths : [null],
      folder,
    })
    const lines = transcribed.map((each) => ({
      name: `${each.recording}, ${each.chunks}, ${each.model}`,
      figures: toJson([each]),
    }))
    const groups = groupByModel(transcribed.filter(({ durationS }) => durationS >= CUT_FROM_S))
    const sums = groups.map(([name, own]) => ({ name, figures: toJson(own) }))
    const judged = groups.filter(([, [first]]) => first?.model !== POCKETSPHINX)
    return {
      json: { recordings: lines, sums },
      table: [
        ...alignCells([HEAD, ...[...lines, ...sums].map(({ name, figures }) => toCells(name, figures))]),
        EXPLANATION,
        ...judged.flatMap(([name, own]) => judge(name, own)),
      ],
    }
  },
}
