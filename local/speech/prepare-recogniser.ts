import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureSpeechTools, mayInstall, thisMachine } from '../start/install.ts'
import { prepareWhisper, type WhisperSetup } from './prepare-whisper.ts'
import { recognise } from './recognise.ts'
import type { Readiness, Recogniser } from './recogniser.ts'
import { type Progress, WhisperMissing } from './whisper/install-options.ts'

/** Pocketsphinx as a recogniser: English, as many transcriptions at once as there are cores. */
export function pocketsphinx(workDir: string): Recogniser {
  return {
    model: 'pocketsphinx-en-us',
    ownedBy: 'cmusphinx',
    atOnce: availableParallelism(),
    transcribe: ({ audio, signal }) => recognise(audio, { workDir, signal }),
  }
}

export interface PreparationOptions extends Pick<WhisperSetup, 'env' | 'workDir' | 'say' | 'onLine' | 'timing'> {
  /** Sees to it that pocketsphinx is there; replaced in tests. */
  ensurePocketsphinx?: () => Promise<boolean>
  /** From a failed download to the next attempt. */
  retryMs?: number
}

/** The recogniser of this machine, as far as it is prepared. */
export interface Preparation {
  readiness(): Readiness
  /** Settles when there is a recogniser, or none can be had. */
  settled: Promise<void>
  close(): Promise<void>
}

/** The value of `ADAPT_WHISPER` for machines where pocketsphinx is to do. */
const OFF = 'off'
const RETRY_MS = 60_000
const MEGABYTE = 1024 ** 2
/** Lines in the terminal on the way. */
const QUARTERS = 4
/** What to do where there is no recogniser at all. */
const ADVICE = 'Add a caption file instead, or try again when speech recognition is there.'

/** Prepares Whisper, or where it cannot be had pocketsphinx, while the rest of Adapt starts and runs. */
export function prepareRecogniser(options: PreparationOptions): Preparation {
  const { env, workDir, say, retryMs = RETRY_MS } = options
  const ensurePocketsphinx = options.ensurePocketsphinx ?? (() => ensureSpeechTools({ ...thisMachine, env, say }))
  const closing = new AbortController()
  const { signal } = closing
  const settled = Promise.withResolvers<void>()
  let readiness: Readiness = { state: 'preparing', doneBytes: 0, totalBytes: 0 }
  let closeWhisper = async (): Promise<void> => undefined

  const sayProgress = reportQuarters(say)
  let doneBefore = 0
  function onProgress(progress: Progress): void {
    // While an attempt brings nothing, clients learn what is missing.
    if (readiness.state === 'missing' && progress.doneBytes <= doneBefore) return
    doneBefore = progress.doneBytes
    if (readiness.state !== 'ready') readiness = { state: 'preparing', ...progress }
    sayProgress(progress)
  }

  async function fallBack(reason: string): Promise<void> {
    if (readiness.state === 'ready') return
    const isThere = await ensurePocketsphinx()
    readiness = isThere
      ? { state: 'ready', recogniser: pocketsphinx(workDir) }
      : { state: 'missing', reason: `${reason} ${ADVICE}` }
    if (isThere && env.ADAPT_WHISPER !== OFF) say('Speech is recognised by pocketsphinx, in English.')
  }

  async function prepare(): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        if (env.ADAPT_WHISPER === OFF) throw new WhisperMissing('Whisper is left out by ADAPT_WHISPER=off.')
        const whisper = await prepareWhisper({ ...options, mayInstall: mayInstall(env), signal, onProgress })
        closeWhisper = () => whisper.close()
        readiness = { state: 'ready', recogniser: whisper }
        if (doneBefore > 0) say('Speech recognition is ready.')
        return
      } catch (error) {
        if (signal.aborted) return
        const missing = error instanceof WhisperMissing ? error : new WhisperMissing(String(error), { cause: error })
        if (isFirst && env.ADAPT_WHISPER !== OFF) say(missing.message)
        await fallBack(missing.message)
        settled.resolve()
        if (!missing.isPassing) return
        await sleep(retryMs, undefined, { signal })
      }
    }
  }

  // Only an abort ends it otherwise.
  const work = prepare().catch(() => undefined)
  void work.then(() => settled.resolve())
  return {
    readiness: () => readiness,
    settled: settled.promise,
    async close() {
      closing.abort()
      await work
      await closeWhisper()
    },
  }
}

/** Says how far it is when it begins, and at each quarter. */
function reportQuarters(say: (line: string) => void): (progress: Progress) => void {
  let lastQuarter = -1
  return ({ doneBytes, totalBytes }) => {
    const quarter = Math.floor((doneBytes / totalBytes) * QUARTERS)
    if (quarter <= lastQuarter) return
    lastQuarter = quarter
    const [done, total] = [doneBytes, totalBytes].map((bytes) => Math.round(bytes / MEGABYTE))
    say(`Speech recognition is being prepared: ${done} of ${total} MB`)
  }
}
