import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { narrate } from '#local/media/narrate.ts'
import { ACCEPTANCE, hasAcceptanceMedia } from '#local/speech/acceptance.ts'
import { CHUNK_S, recogniseChunks } from '#local/speech/recognise-chunks.ts'
import { ensureTools } from '#local/start/tools.ts'
import { comparableWords, wordErrorRate } from '#local/testing/word-error-rate.ts'
import { normaliseWhisper } from '#worker/adapters/whisper/normalise-whisper.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { formSegments, isRough } from '#worker/domain/transcript/form-segments.ts'
import { meanConfidence } from '#worker/domain/transcript/mean-confidence.ts'
import { mergeWords, type TranscribedChunk } from '#worker/domain/transcript/merge-words.ts'
import { rateTranscription } from '#worker/domain/transcript/rate-transcription.ts'
import { gate, logProgress, type Row, sum } from '../scenario.ts'
import { type GoldItem, predictSteps } from './predict-steps.ts'

/** A recording that the recogniser of a fresh machine is to transcribe, and what is truly said in it. */
interface Spoken {
  id: string
  title: string
  said: string
  /** Makes what ffmpeg reads its audio with. */
  open: () => Promise<string[]>
}

/** Keeps what the recogniser answered, so that rules about titles can be tried within seconds. */
const ANSWERS_DIR = process.env['ADAPT_RECOGNISED_DIR']

/** Of every so many recordings of the benchmark, one is read aloud. */
const EVERY = 2
const FIRST = 1
/** What is read aloud of each: three minutes from the second one on. */
const READ_FROM_S = 60
const READ_UNTIL_S = 240
/** Of white noise, so that the recogniser is less and less sure; the last makes most words guesses. */
const NOISES = [0, 0.002, 0.004]

/** A passage of a recording that is read aloud. */
function planReading(item: GoldItem, at: number, folder: string): Spoken {
  const passage = item.segments.filter(({ start }) => start >= READ_FROM_S && start < READ_UNTIL_S)
  const texts = passage.map(({ text }) => text.replace(/[^\p{L}\p{N}\s.,'’?-]+/gu, ' '))
  const amplitude = NOISES[at % NOISES.length] ?? 0
  const noise = ['-f', 'lavfi', '-i', `anoisesrc=r=16000:a=${amplitude}:seed=1`]
  const mix = ['-filter_complex', 'amix=inputs=2:duration=first:normalize=0']
  const open = async () => {
    const dir = join(folder, item.id)
    await mkdir(dir)
    const { input } = await narrate([texts], dir)
    return [...input, ...noise, ...mix]
  }
  return { id: item.id, title: item.title, said: texts.join(' '), open }
}

/** The how-to that people narrated. */
async function openHowTo(): Promise<Spoken[]> {
  const folder = join(ACCEPTANCE, 'custom-speech-howto')
  if (!hasAcceptanceMedia()) return []
  const said = await readFile(join(folder, 'reference.txt'), 'utf8')
  const input = ['-i', join(folder, 'custom-speech-howto.mp4'), '-vn']
  return [{ id: HOW_TO, title: 'How to', said, open: async () => input }]
}

const HOW_TO = 'custom-speech-howto.mp4'

/** What the recogniser answers, or answered in an earlier run. */
async function recogniseSpoken({ id, open }: Spoken): Promise<RecognisedChunks> {
  const kept = ANSWERS_DIR === undefined ? null : join(ANSWERS_DIR, `${id}.json`)
  if (kept !== null && existsSync(kept)) return JSON.parse(await readFile(kept, 'utf8')) as RecognisedChunks
  const answers = await recogniseChunks([...(await open()), '-ac', '1', '-ar', '16000'], 'wav')
  if (kept !== null) await writeFile(kept, JSON.stringify(answers))
  return answers
}

type RecognisedChunks = Awaited<ReturnType<typeof recogniseChunks>>

/** Transcribes a recording chunk by chunk, as the product has it transcribed on a fresh machine. */
async function transcribeSpoken(spoken: Spoken) {
  const answers = await recogniseSpoken(spoken)
  const chunks = answers.map((answer, at): TranscribedChunk => {
    const startMs = at * CHUNK_S * 1_000
    const endMs = startMs + Math.round(answer.duration * 1_000)
    const { words } = normaliseWhisper(answer, endMs - startMs)
    return { audioStartMs: startMs, startMs, endMs, words }
  })
  return { words: mergeWords(chunks), durationMs: chunks.at(-1)?.endMs ?? 0 }
}

/** A title of words, not of times. */
const isInWords = (title: string) => !/^Part \d+ \(/.test(title)
/** What the engine puts around the speaker's words by itself. */
const OWN_WORDS = / \(part \d+\)$/g

async function nameSteps(spoken: Spoken) {
  const { words, durationMs } = await transcribeSpoken(spoken)
  const confidence = meanConfidence(words) ?? 0
  const sums = { transcribedMs: durationMs, wordCount: words.length }
  const rating = rateTranscription({ ...sums, confidenceSum: confidence * words.length })
  const formed = formSegments(words)
  const segments = formed.map(({ startMs, endMs, ...said }) => {
    return { start: startMs / 1_000, end: endMs / 1_000, ...said }
  })
  const item = { ...spoken, group: '', durationS: durationMs / 1_000, segments, chapters: [] }
  // Such a recording is refused, and makes no steps.
  const steps = rating === 'understood' ? (await predictSteps(item, extractiveStepWriter, 'audio')).stored : []
  const said = new Set(comparableWords(spoken.said))
  const named = steps.map(({ title }) => title).filter(isInWords)
  const titleWords = named.flatMap((title) => comparableWords(title.replace(OWN_WORDS, '')))
  const errorRate = wordErrorRate(spoken.said, words.map(({ text }) => text).join(' '))
  const unsaid = titleWords.filter((word) => !said.has(word))
  const look = isRough(formed) ? 'rough' : 'sure'
  logProgress(
    `${spoken.id}: ${rating}, ${look}, words wrong ${errorRate.toFixed(2)}, confidence ${confidence.toFixed(2)}`,
  )
  logProgress(
    `  ${named.length} of ${steps.length} titles in words, ${titleWords.length} words; never said: ${unsaid.join(' ') || 'none'}`,
  )
  return { id: spoken.id, look, errorRate, steps: steps.length, named, titleWords: titleWords.length, unsaid }
}

/** What the titles have to be where a recogniser guesses. */
const GATES = { titleWords: { atLeast: 200 }, unsaidShare: { atMost: 0.02 }, howToNamedShare: { atLeast: 0.8 } }

/** Measures titles made of what the recogniser of a fresh machine transcribes, in clear and in noisy narration. */
export async function measureRecognised(gold: readonly GoldItem[], folder: string): Promise<Row[]> {
  await ensureTools(['ffmpeg', 'flite', 'pocketsphinx'])
  const chosen = gold.filter((_, at) => at % EVERY === FIRST)
  const readings = [...(await openHowTo()), ...chosen.map((item, at) => planReading(item, at, folder))]
  const results = await pLimit(availableParallelism()).map(readings, nameSteps)
  const titleWords = sum(results.map((result) => result.titleWords))
  const unsaid = results.flatMap((result) => result.unsaid)
  const share = (named: number, steps: number) => named / Math.max(1, steps)
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`
  const howTo = results.find(({ id }) => id === HOW_TO)
  const isRefused = ({ steps }: { steps: number }) => steps === 0
  const rough = results.filter((result) => result.look === 'rough' && !isRefused(result))
  const wrongInRough = sum(rough.map(({ errorRate }) => errorRate)) / Math.max(1, rough.length)
  return [
    {
      what: 'recognised: recordings, of them refused',
      value: `${results.length}, ${results.filter(isRefused).length}`,
    },
    { what: 'recognised: called rough, words wrong in them', value: `${rough.length}, ${percent(wrongInRough)}` },
    {
      what: 'recognised: titles in words',
      value: percent(share(sum(results.map(({ named }) => named.length)), sum(results.map(({ steps }) => steps)))),
    },
    gate('recognised: words of titles', titleWords, GATES.titleWords, String(titleWords)),
    gate('recognised: of them never said', share(unsaid.length, titleWords), GATES.unsaidShare, percent),
    ...(howTo === undefined
      ? []
      : [gate(`${HOW_TO}: titles in words`, share(howTo.named.length, howTo.steps), GATES.howToNamedShare, percent)]),
  ]
}
