import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProposedCallout } from '#contract/step.ts'
import { ACCEPTANCE } from '#local/speech/acceptance.ts'
import { proposeCallouts } from '#worker/domain/step/extractive/find-callouts.ts'
import { readSentences } from '#worker/domain/step/extractive/sentences.ts'
import { tidySection } from '#worker/domain/step/tidy-section.ts'
import { parseCaptions } from '#worker/domain/transcript/parse-captions.ts'
import { segmentsFromCues } from '#worker/domain/transcript/segments-from-cues.ts'
import type { SaidSegment, StepWriter } from '#worker/ports/language-model.ts'
import { gate, type Row, row, type Scenario, sum } from '../scenario.ts'
import { hashCalloutsPrompt, openAnsweredModel } from '../steps/answered-model.ts'
import { openWindows } from '../steps/predict-steps.ts'

type Kind = ProposedCallout['kind']

/** The first are those that the cues were chosen by; the others were written and labelled before any cue met them. */
const SETS = ['narrations', 'unseen'] as const
const KINDS: Readonly<Record<string, Kind>> = { w: 'warning', t: 'tool', p: 'part', i: 'tip' }
/** As long as a short sentence takes. */
const SENTENCE_MS = 5_000

/** One how-to, sentence by sentence, and what people say that each sentence is. */
interface HowTo {
  set: string
  title: string
  segments: SaidSegment[]
  labels: Kind[][]
}

/** Reads how-tos: a title each, and sentences behind the letters of their labels; `-` for none. */
function readSet(set: string): HowTo[] {
  const text = readFileSync(new URL(`./${set}.txt`, import.meta.url), 'utf8')
  return text.split(/^# /m).flatMap((part) => {
    const [title = '', ...lines] = part.split('\n')
    const labelled = lines.flatMap((line) => {
      const [, letters = '', said = ''] = /^(-|[wtpi]+) (.+)$/.exec(line) ?? []
      return said === '' ? [] : [{ said, kinds: letters.split('').flatMap((letter) => KINDS[letter] ?? []) }]
    })
    if (labelled.length === 0) return []
    const segments = labelled.map(({ said }, at) => ({ ...timesOf(at), id: `s${at}`, text: said }))
    return [{ set, title, segments, labels: labelled.map(({ kinds }) => kinds) }]
  })
}

const timesOf = (at: number) => ({ startMs: at * SENTENCE_MS, endMs: (at + 1) * SENTENCE_MS })

/** Of a recording beside the project: sentences that are more than what happens, by their place. */
const RECORDED_LABELS: Readonly<Record<number, Kind[]>> = { 10: ['tip', 'warning'] }

/** A real how-to, where it is. */
function readRecording(): HowTo[] {
  const file = join(ACCEPTANCE, 'linux-basic-commands', 'original.srt')
  if (!existsSync(file)) return []
  const formed = segmentsFromCues(parseCaptions(readFileSync(file, 'utf8')).cues)
  const segments = formed.map(({ startMs, endMs, text }, at) => ({ id: `s${at}`, startMs, endMs, text }))
  const labels = segments.map((_segment, at) => RECORDED_LABELS[at] ?? [])
  return [{ set: 'linux-basic-commands', title: 'Basic Commands', segments, labels }]
}

/** By cue phrases, sentence by sentence: what a section's limit would cut off is scored as well. */
function proposeByCues({ segments }: HowTo): ProposedCallout[] {
  return segments.flatMap((segment) => proposeCallouts([], [segment], readSentences([segment])))
}

/** As the product does with a model: section by section, checked against what was said. */
async function proposeByModel({ title, segments }: HowTo, writer: StepWriter): Promise<ProposedCallout[]> {
  const durationS = (segments.at(-1)?.endMs ?? 0) / 1_000
  const proposed = []
  for (const window of openWindows({ title, durationS }, segments, 'captions')) {
    // A prompt without an answer is counted, and proposes nothing.
    const drafts = await writer.writeSteps(window, AbortSignal.timeout(MODEL_TIMEOUT_MS)).catch(() => null)
    if (drafts === null) continue
    proposed.push(...tidySection({ drafts, ...window }).flatMap(({ callouts = [] }) => callouts))
  }
  return proposed
}

const MODEL_TIMEOUT_MS = 60_000

/** One how-to and what was proposed for it. */
interface Proposed {
  howTo: HowTo
  callouts: ProposedCallout[]
}

function score(all: readonly Proposed[]) {
  const counts = all.map(({ howTo: { segments, labels }, callouts }) => {
    const labelsOf = (quote: string) => labels[segments.findIndex(({ text }) => text === quote)] ?? []
    const wanted = segments.flatMap(({ text }, at) => (labels[at] ?? []).map((kind) => ({ text, kind })))
    const isProposed = (each: { text: string; kind: Kind }) =>
      callouts.some(({ kind, quote }) => kind === each.kind && quote === each.text)
    return {
      sentences: segments.length,
      proposed: callouts.length,
      right: callouts.filter(({ kind, quote }) => labelsOf(quote).includes(kind)).length,
      wanted: wanted.length,
      found: wanted.filter(isProposed).length,
    }
  })
  const total = (name: keyof (typeof counts)[number]) => sum(counts.map((each) => each[name]))
  const [proposed, right] = [total('proposed'), total('right')]
  const precision = proposed === 0 ? 1 : right / proposed
  return { sentences: total('sentences'), proposed, right, precision, recall: total('found') / total('wanted') }
}

async function proposeAll(howTos: readonly HowTo[], propose: (howTo: HowTo) => Promise<ProposedCallout[]>) {
  const proposed: Proposed[] = []
  for (const howTo of howTos) proposed.push({ howTo, callouts: await propose(howTo) })
  const sets = [...new Set(howTos.map(({ set }) => set))]
  return {
    ...score(proposed),
    sets: sets.map((set) => ({ set, ...score(proposed.filter(({ howTo }) => howTo.set === set)) })),
  }
}

const share = (figure: number) => figure.toFixed(3)

function listRows(how: string, { proposed, precision, recall, sets }: Awaited<ReturnType<typeof proposeAll>>): Row[] {
  return [
    gate(`Proposed ${how}`, proposed, { atLeast: 100 }, String),
    gate('  right among them', precision, { atLeast: 0.9 }, share),
    row('  found of those that are labelled', share(recall)),
    ...sets.map((each) =>
      row(
        `  ${each.set}: ${each.sentences} sentences`,
        `${each.right} of ${each.proposed} right, ${share(each.recall)} found`,
      ),
    ),
  ]
}

/** How many of the callouts that are proposed are right, by labels of people, with and without a model. */
export const scenario: Scenario = {
  measure: async () => {
    const howTos = [...SETS.flatMap(readSet), ...readRecording()]
    const withoutModel = await proposeAll(howTos, (howTo) => Promise.resolve(proposeByCues(howTo)))
    const model = openAnsweredModel(new URL('./answers.json', import.meta.url), hashCalloutsPrompt)
    const withModel = await proposeAll(howTos, (howTo) => proposeByModel(howTo, model.writerFor(howTo.title)))
    return {
      json: { without_model: withoutModel, with_model: withModel, answered_by: [...model.answeredBy] },
      table: [
        ...listRows('without a model', withoutModel),
        ...listRows('with a model', withModel),
        gate('  prompts without an answer', model.unanswered.length, { atMost: 0 }, String),
      ],
    }
  },
}
