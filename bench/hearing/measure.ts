import { readFile } from 'node:fs/promises'
import { pocketsphinx } from '#local/speech/prepare-recogniser.ts'
import { prepareWhisper } from '#local/speech/prepare-whisper.ts'
import type { Recogniser } from '#local/speech/recogniser.ts'
import { cutRecording, transcribeChunks } from '#local/speech/testing/transcribe-recording.ts'
import { mayInstall } from '#local/start/install.ts'
import { listProcesses } from '#local/start/processes.ts'
import { ensureTools } from '#local/start/tools.ts'
import { comparableWords } from '#local/testing/word-error-rate.ts'
import { normaliseWhisper } from '#worker/adapters/whisper/normalise-whisper.ts'
import { planFormation } from '#worker/domain/transcript/form-section.ts'
import { mergeWords } from '#worker/domain/transcript/merge-words.ts'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { measureUsage, residentMb } from '../processes.ts'
import { logProgress, sum } from '../scenario.ts'
import type { Recording } from './recordings.ts'
import { countAtSeams, findErrors, type WordTime, withoutKnown } from './word-errors.ts'

export const POCKETSPHINX = 'pocketsphinx'

/** A recogniser, and the process that it keeps; null for one that starts a program for each chunk. */
export interface OpenRecogniser {
  recogniser: Recogniser
  pid: number | null
  close: () => Promise<void>
}

/** Opens pocketsphinx, or Whisper with the weights of this name. */
export async function openRecogniser(model: string, workDir: string): Promise<OpenRecogniser> {
  if (model === POCKETSPHINX) {
    await ensureTools(['ffmpeg', 'pocketsphinx'])
    return { recogniser: pocketsphinx(workDir), pid: null, close: async () => undefined }
  }
  const recogniser = await prepareWhisper({
    env: { ...process.env, ADAPT_WHISPER: model },
    mayInstall: mayInstall(process.env),
    workDir,
    signal: new AbortController().signal,
    onLine: console.error,
    onProgress: () => undefined,
    say: console.error,
  })
  const isEngine = (command: string) => command.includes('transcribe.py')
  const engine = listProcesses().find(({ parent, command }) => parent === process.pid && isEngine(command))
  return { recogniser, pid: engine?.pid ?? null, close: () => recogniser.close() }
}

interface Times {
  wallS: number
  /** Null for programs that end with each chunk. */
  cpuS: number | null
  residentMb: number | null
}

async function measureTimes<T>(pid: number | null, work: () => Promise<T>): Promise<{ result: T; times: Times }> {
  const beforeMb = pid === null ? 0 : residentMb([pid])
  const { result, usage } = await measureUsage(pid === null ? [] : [pid], work)
  const { wallS, cpuS, peakRiseMb } = usage
  return {
    result,
    times: pid === null ? { wallS, cpuS: null, residentMb: null } : { wallS, cpuS, residentMb: beforeMb + peakRiseMb },
  }
}

function toWordTimes(words: readonly TranscribedWord[]): WordTime[] {
  return words.flatMap(({ text, startMs, endMs }) =>
    comparableWords(text).map((word) => ({ text: word, timeMs: (startMs + endMs) / 2 })),
  )
}

/** The whole file in one call. */
export async function transcribeWhole({ recogniser, pid }: OpenRecogniser, recording: Recording, durationMs: number) {
  const audio = await readFile(recording.path)
  const { signal } = new AbortController()
  const { result, times } = await measureTimes(pid, () =>
    recogniser.transcribe({ audio, language: null, prompt: null, signal }),
  )
  const { words } = normaliseWhisper(result, durationMs)
  return { errors: findErrors(recording.words, toWordTimes(words)), times }
}

export type Whole = Awaited<ReturnType<typeof transcribeWhole>>
export type Cut = Awaited<ReturnType<typeof cutRecording>>

/** From the words of its first section on, a module may have steps. */
const { lastNeeded: LAST_FIRST_CHUNK } = planFormation(0, null)

/** The same recording as the product transcribes it, cut into chunks whose words are merged. */
export async function transcribeCut(
  open: OpenRecogniser,
  recording: Recording,
  { cut, whole }: { cut: Cut; whole: Whole },
) {
  const { chunks, durationMs } = cut
  const startedMs = performance.now()
  const doneAtS: number[] = []
  const onChunk = (chunk: number) => {
    doneAtS[chunk] = (performance.now() - startedMs) / 1000
  }
  const { result, times } = await measureTimes(open.pid, () => transcribeChunks(open.recogniser, chunks, onChunk))
  const errors = findErrors(recording.words, toWordTimes(mergeWords(result)))
  const cutsMs = chunks.slice(0, -1).map(({ endMs }) => endMs)
  return {
    wrongWords: errors.length,
    firstWordsS: Math.max(...doneAtS.slice(0, LAST_FIRST_CHUNK + 1)),
    seams: countAtSeams(withoutKnown(errors, whole.errors), cutsMs, durationMs),
    times,
  }
}

/** One recording by one model, whole and in chunks. */
export interface Measured {
  recording: string
  chunks: string
  model: string
  durationS: number
  words: number
  sentS: number
  wholeWrongWords: number
  whole: Times
  pipeline: Awaited<ReturnType<typeof transcribeCut>>
}

interface MeasureOptions {
  models: readonly string[]
  recordings: readonly Recording[]
  /** Lengths of all chunks; null as the product plans them. */
  chunkLengthsMs: readonly (number | null)[]
  folder: string
}

/** Has each model transcribe each recording whole, and cut in each of the ways. */
export async function measureAll({ models, recordings, chunkLengthsMs, folder }: MeasureOptions): Promise<Measured[]> {
  const transcribed: Measured[] = []
  for (const model of models) {
    const open = await openRecogniser(model, folder)
    try {
      for (const recording of recordings) {
        transcribed.push(...(await measureRecording(open, { model, recording, chunkLengthsMs })))
      }
    } finally {
      await open.close()
    }
  }
  return transcribed
}

async function measureRecording(
  open: OpenRecogniser,
  {
    model,
    recording,
    chunkLengthsMs,
  }: { model: string; recording: Recording; chunkLengthsMs: MeasureOptions['chunkLengthsMs'] },
): Promise<Measured[]> {
  const transcribed: Measured[] = []
  let whole: Whole | null = null
  for (const chunkMs of chunkLengthsMs) {
    const cut = await cutRecording(recording.path, chunkMs ?? undefined)
    if (cut.chunks.length === 0) {
      logProgress(`${recording.name} is left out: the product cannot cut audio of its codec.`)
      continue
    }
    whole ??= await transcribeWhole(open, recording, cut.durationMs)
    const pipeline = await transcribeCut(open, recording, { cut, whole })
    logProgress(`${recording.name}: ${model}, ${pipeline.times.wallS.toFixed(0)} s`)
    transcribed.push({
      recording: recording.name,
      chunks: chunkMs === null ? 'as planned' : `of ${chunkMs / 1000} s`,
      model,
      durationS: cut.durationMs / 1000,
      words: recording.words.length,
      sentS: sum(cut.chunks.map(({ audioDurationMs }) => audioDurationMs)) / 1000,
      wholeWrongWords: whole.errors.length,
      whole: whole.times,
      pipeline,
    })
  }
  return transcribed
}
