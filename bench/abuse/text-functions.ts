import type { CaptionEncoding } from '#contract/captions/encodings.ts'
import { CAPTIONS_MAX_BYTES } from '#contract/limits.ts'
import { writeVtt } from '#media/write-captions.ts'
import { CPU_NS_PER_STEP, countStepsOfWorstRun } from '#worker/domain/quota/testing/worst-run.ts'
import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { writeExtractiveSteps } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { makeTitlesDistinct } from '#worker/domain/step/extractive/name-step.ts'
import { planSections, WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS } from '#worker/domain/step/plan-sections.ts'
import { quoteCorrected } from '#worker/domain/step/requote.ts'
import { tidySection } from '#worker/domain/step/tidy-section.ts'
import { markUnsureWords } from '#worker/domain/step/unsure-words.ts'
import { formSegments } from '#worker/domain/transcript/form-segments.ts'
import { mergeWords } from '#worker/domain/transcript/merge-words.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { readCaptionFile } from '#worker/domain/transcript/read-caption-file.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import { encodeText } from '#worker/domain/transcript/testing/encode-text.ts'
import { writeOddSrt } from '#worker/domain/transcript/testing/odd-captions.ts'
import { writePressCaptions } from '#worker/domain/transcript/testing/press-captions.ts'
import { checkTranslation } from '#worker/domain/translation/check-translation.ts'
import { readTerms, spokenWords } from '#worker/domain/translation/glossary.ts'
import { checkQuotes, cleanAnswer } from '#worker/domain/tutor/check-answer.ts'
import { checkClaim } from '#worker/domain/tutor/check-claim.ts'
import { groupQuestions } from '#worker/domain/tutor/group-questions.ts'
import { openIndex } from '#worker/domain/tutor/open-index.ts'
import { planAnswer } from '#worker/domain/tutor/plan-answer.ts'
import { takeTurns } from '../rounds.ts'
import { gate, inMs, inNs, logProgress, quantile, type Row, ratioGate, ratioOfRounds, sum } from '../scenario.ts'

/** Twice the text may take a little more than twice as long. */
const DOUBLE_MAX = 2.6
const ROUNDS = 5
const SECTIONS_MAX_MS = 1_000
const SECTION_MAX_MS = 200

const segmentsOf = (texts: readonly string[], lengthMs = 4_000) =>
  texts.map((text, at) => ({ id: `c-${at}`, position: at, startMs: at * lengthMs, endMs: (at + 1) * lengthMs, text }))

const many = <Made>(count: number, make: (at: number) => Made) => Array.from({ length: count }, (_, at) => make(at))

function readSrt(size: number, textOf: (at: number) => string, encoding: CaptionEncoding = 'utf-8') {
  const texts = many(size * 2_000, textOf)
  return readCaptionFile(encodeText(writeOddSrt({ texts }), encoding), {}, { durationMs: null, speech: [] })
}

/** The text functions of the product, each with the texts that cost it most. `size` is 1 or 2. */
const TEXT_FUNCTIONS: Record<string, (size: number) => unknown> = {
  'captions of one-letter sentences are parsed': (size) =>
    segmentsFromCues(parseCaptions(writePressCaptions(size * 400_000, 60)).cues),
  'captions that begin at one moment are parsed': (size) => {
    const cues = many(size * 4_000, () => '00:01.000 --> 00:02.000\nso\n')
    return parseCaptions(`WEBVTT\n\n${cues.join('\n')}`)
  },
  'captions in two languages are read': (size) =>
    readSrt(size, (at) => `Turn lever ${at} until the lamp is on.\nDrehen Sie den Hebel ${at}, bis die Lampe an ist.`),
  'captions with names of speakers are read': (size) =>
    readSrt(size, (at) => `${at % 2 === 0 ? 'Ada' : 'Ben'} Example: turn lever ${at} until the lamp is on.`),
  'captions that roll up are read': (size) =>
    readSrt(size, (at) => [at - 2, at - 1, at].map((line) => `turn lever ${line} until the lamp is on`).join('\n')),
  'captions in an encoding of their own are read': (size) =>
    readSrt(size, (at) => `Поверните рычаг ${at}.`, 'windows-1251'),
  'words are formed into segments': (size) =>
    formSegments(
      many(size * 20_000, () => 'press').map((text, at) => ({ text, startMs: at, endMs: at + 1, confidence: 0.4 })),
    ),
  'sections are planned': (size) =>
    planSections(
      segmentsOf(
        many(size * 10_000, () => 'so'),
        0,
      ),
    ),
  'a section of many short sentences is written': (size) => {
    const segments = segmentsOf(many(size * 150, (at) => `${'Press. '.repeat(20)}Take tool ${at}.`))
    return writeExtractiveSteps({ ...WINDOW, before: [], segments, after: [] })
  },
  'a section of one sentence is tidied': (size) =>
    tidySection({
      drafts: [],
      segments: segmentsOf(many(size * 200, (at) => `open the ${at} cover and `)),
      durationMs: null,
    }),
  'steps with one title are composed': (size) => {
    const steps = many(size * 2_000, (at) => String(at)).map((id, at) => ({
      segmentIds: [id],
      startMs: at * 6_000,
      endMs: (at + 1) * 6_000,
      title: 'Press',
      description: 'Press the button.',
      originalText: 'Press.',
      continues: false,
    }))
    return composeSteps({ run: 1, durationMs: null, sections: [{ steps, isDraft: false }], isComplete: true })
  },
  'titles are made distinct': (size) =>
    makeTitlesDistinct(many(size * 5_000, () => '').map(() => ({ title: 'Press', originalText: 'So.' }))),
  'unsure words are marked': (size) =>
    markUnsureWords(
      segmentsOf(many(size * 3_000, (at) => `press the ${at} now`)).map((said) => ({ ...said, unsure: [0] })),
    ),
  'questions are grouped': (size) =>
    groupQuestions(
      many(size * 500, (at) => `where is the ${at} wrench`).map((text, at) => ({
        id: `${at}`,
        text,
        place: null,
        timeS: null,
        askedAtMs: at,
      })),
    ),
  'a transcript is indexed for the tutor': (size) =>
    openIndex({ segments: segmentsOf(many(size * 5_000, (at) => `press ${at}.`)), steps: [] }),
  'a question is answered': (size) =>
    planAnswer(openIndex({ segments: segmentsOf(many(size * 3_000, () => 'the wrench the nuts.')), steps: [] }), {
      question: 'Where is the wrench for the nuts?',
    }),
  'a claim is checked': (size) => {
    const segments = segmentsOf(many(size * 1_000, (at) => `press the ${at}`))
    return checkClaim({ text: 'Press the '.repeat(200), segmentIds: segments.map(({ id }) => id), quote: '' }, segments)
  },
  'quotes are checked': (size) =>
    checkQuotes([{ text: 'press '.repeat(size * 5_000), segmentIds: ['c-0'] }], {
      segments: segmentsOf([`${'press '.repeat(size * 10_000)}.`]),
    }),
  'chunks are merged': (size) =>
    mergeWords(
      many(size * 40, (chunk) => ({
        audioStartMs: chunk * 30_000,
        startMs: chunk * 30_000,
        endMs: (chunk + 1) * 30_000,
        words: many(300, (at) => ({ text: 'so', startMs: at * 110, endMs: at * 110 + 100, confidence: 0.5 })),
      })),
    ),
  'lines are corrected': (size) => {
    const lines = segmentsOf(many(size * 2_000, (at) => `press ${at}`)).map((line) => ({
      ...line,
      transcribedText: 'so',
    }))
    const steps = many(size * 200, (at) => {
      const own = lines.slice(at * 10, at * 10 + 10)
      return { id: `${at}`, originalText: own.map(({ text }) => text).join(' '), segmentIds: own.map(({ id }) => id) }
    })
    return quoteCorrected(steps, lines)
  },
  'the answer of a model is cleaned': (size) => cleanAnswer('[1 **a** <b '.repeat(size * 5_000)),
  'a translation is checked': (size) =>
    checkTranslation({
      source: '{a 1.a'.repeat(size * 3_000),
      text: 'a'.repeat(size * 20_000),
      from: 'en',
      to: 'de',
      terms: [],
    }),
  'a glossary is read': (size) => [
    spokenWords('a = b (de), '.repeat(size * 10_000)),
    readTerms({ glossary: many(size * 10_000, (at) => `A${at}`).join(',') }, 'en', 'de'),
  ],
  'captions are written': (size) =>
    writeVtt(many(size * 10_000, () => '-- > & <').map((text, at) => ({ text, start: at, end: at + 1 }))),
}

const WINDOW = { moduleTitle: 'Press', language: 'en', glossary: null, durationMs: null, titles: [] }

const timeOf = (run: () => unknown) => {
  // The time of the processor: what else the machine does is no cost of the text.
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

/** Writes all sections of a caption file as the product does. */
function writeAllSections(bytes: number) {
  const formed = segmentsFromCues(parseCaptions(writePressCaptions(bytes)).cues)
  const segments = formed.map((segment, at) => ({ ...segment, id: `c-${at}`, position: at }))
  let from = 0
  return planSections(segments).map((section) => {
    const fromMs = (section[0]?.startMs ?? 0) - WINDOW_BEFORE_MS
    const to = from + section.length
    const before = segments.slice(0, from).filter(({ startMs }) => startMs >= fromMs)
    const window = { ...WINDOW, before, segments: section, after: segments.slice(to, to + WINDOW_AFTER_SEGMENTS) }
    from = to
    return timeOf(() => tidySection({ ...window, drafts: writeExtractiveSteps(window) }))
  })
}

/** What the steps of hostile captions cost, and whether twice the text takes twice as long for each text function. */
export async function measureTexts(only?: string): Promise<{ json: object; rows: Row[] }> {
  if (only !== undefined && only !== 'texts') return { json: {}, rows: [] }
  const rows: Row[] = []
  const json: Record<string, unknown> = {}
  for (const [name, run] of Object.entries(TEXT_FUNCTIONS)) {
    logProgress(name)
    for (let warmUp = 0; warmUp < 2; warmUp += 1) run(1)
    const times = await takeTurns(['once', 'twice'] as const, { rounds: ROUNDS }, (size) =>
      Promise.resolve(timeOf(() => run(size === 'once' ? 1 : 2))),
    )
    const ratio = ratioOfRounds(times.once.map((other, at) => ({ own: times.twice[at] ?? Number.NaN, other })))
    rows.push(ratioGate(`twice the text: ${name}`, ratio, { atMost: DOUBLE_MAX }))
    json[name] = ratio
  }
  for (const bytes of [36_000, 88_000, CAPTIONS_MAX_BYTES]) {
    const name = `hostile captions of ${Math.round(bytes / 1_000)} kB`
    logProgress(name)
    const rounds = many(ROUNDS, () => writeAllSections(bytes))
    const allMs = quantile(rounds.map(sum), 0.5)
    const slowestMs = quantile(
      rounds.map((times) => Math.max(...times)),
      0.5,
    )
    const sections = rounds[0]?.length ?? 0
    rows.push(gate(`${name}: all ${sections} sections`, allMs, { atMost: SECTIONS_MAX_MS }, inMs))
    rows.push(gate(`${name}: slowest section`, slowestMs, { atMost: SECTION_MAX_MS }, inMs))
    json[`captions_${bytes}_bytes`] = { sections, allMs, slowestMs }
    if (bytes < CAPTIONS_MAX_BYTES) continue
    const nsPerStep = (allMs * 1e6) / countStepsOfWorstRun()
    rows.push(gate('what the ceiling of a day counts as a step', nsPerStep, { atMost: CPU_NS_PER_STEP }, inNs))
    json['nsPerStep'] = nsPerStep
  }
  return { json, rows }
}
