import { spawn } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { HTTPException } from 'hono/http-exception'
import { hasProgram } from '../start/install.ts'
import { makeTranscription, readRecognisedWords, type Transcription } from './transcription.ts'

interface ProgramEnd {
  /** Null when the program was killed. */
  code: number | null
  /** What it printed until then. */
  output: string
  /** What it wrote to standard error. */
  complaint: string
}

/**
 * Runs a program until it is gone and has let go of its files; an abort kills it.
 * @throws when it cannot be started, for example because it is not installed
 */
async function runProgram(command: string, args: string[], signal: AbortSignal): Promise<ProgramEnd> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
  const failed = new Promise<unknown>((resolve) => child.once('error', resolve).once('close', () => resolve(null)))
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [failure, code, output, complaint] = await Promise.all([failed, closed, text(child.stdout), text(child.stderr)])
  if (failure !== null && !signal.aborted) throw failure
  return { code, output, complaint: complaint.trim() }
}

export interface RecogniseOptions {
  /** Folder for temporary files; nothing stays in it. */
  workDir: string
  /** Aborting kills the programs at work. */
  signal: AbortSignal
  /** Processor time that however short audio may take, in whole seconds; 20 unless a test cannot wait. */
  leastWorkS?: number
}

// The rate that the en-us acoustic model was trained on; two bytes a sample.
const SAMPLE_RATE_HZ = 16_000
const BYTES_PER_SECOND = SAMPLE_RATE_HZ * 2
// Clear narration takes 0.1–0.3 × its length. What takes longer is noise to the recogniser: the words that it has by
// then are enough to see that they are not to be trusted.
const LONGEST_WORK_PER_AUDIO = 1.5
// Loading the model takes a second or two, more on a busy machine, however short the audio.
const LEAST_WORK_S = 20
// A machine that gives the recogniser less than a sixth of a processor is no place to judge audio on.
const LONGEST_WAIT_PER_WORK = 6
const SHELL_NOT_FOUND = 127
// Only containers that carry their audio in themselves: a playlist could name any file of this machine.
const FORMATS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,ogg,mp3,wav,flac,aac'

/**
 * Transcribes one audio file. Audio that is too hard is given up after 1.5 × its length, with the words so far.
 * @throws {HTTPException} 400 `audio_unreadable` when it cannot be decoded, 503 `recogniser_missing`
 */
export async function recognise(audio: Uint8Array, options: RecogniseOptions): Promise<Transcription> {
  const { workDir, signal, leastWorkS = LEAST_WORK_S } = options
  const dir = await mkdtemp(join(workDir, 'adapt-speech-'))
  try {
    const samples = await decode(dir, audio, signal)
    const durationS = (await stat(samples)).size / BYTES_PER_SECOND
    const output = await runRecogniser({ samples, signal, limitS: workLimitS(durationS, leastWorkS) })
    return makeTranscription(readRecognisedWords(output), durationS)
  } catch (error) {
    throw isMissingProgram(error) ? missing(`${error.path} is not installed.`) : error
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function decode(dir: string, audio: Uint8Array, signal: AbortSignal): Promise<string> {
  const input = join(dir, 'audio')
  const samples = join(dir, 'samples.raw')
  await writeFile(input, audio)
  const args = [
    ['-nostdin', '-loglevel', 'error', '-protocol_whitelist', 'file', '-format_whitelist', FORMATS],
    ['-i', input, '-vn', '-ac', '1', '-ar', String(SAMPLE_RATE_HZ), '-f', 's16le', samples],
  ]
  const { code, complaint } = await runProgram('ffmpeg', args.flat(), signal)
  signal.throwIfAborted()
  if (code === 0) return samples
  const message = `The audio could not be decoded: ${complaint.replaceAll(input, 'the file')}`
  throw new HTTPException(400, { message, cause: 'audio_unreadable' })
}

/** Processor time that audio of this length may take, in whole seconds, which is what the system can limit. */
export function workLimitS(durationS: number, leastWorkS = LEAST_WORK_S): number {
  return Math.ceil(Math.max(leastWorkS, durationS * LONGEST_WORK_PER_AUDIO))
}

interface Recognition {
  samples: string
  limitS: number
  signal: AbortSignal
}

async function runRecogniser({ samples, limitS, signal }: Recognition): Promise<string> {
  const deadline = AbortSignal.timeout(limitS * LONGEST_WAIT_PER_WORK * 1000)
  // The name does not end in .wav, so the file is taken as bare samples: an unusual header once cost 2 % of words.
  const recogniser = ['pocketsphinx_continuous', '-infile', samples, '-time', 'yes', '-logfn', '/dev/null']
  // By itself it prints into a 4 kB buffer, which is lost when it is stopped.
  const program = hasProgram('stdbuf') ? ['stdbuf', '-oL', ...recogniser] : recogniser
  // Processor time, not the clock: how hard the audio is must not depend on what else this machine does.
  const args = ['-c', 'ulimit -t "$1"; shift; exec "$@"', 'sh', String(limitS), ...program]
  const { code, output, complaint } = await runProgram('sh', args, AbortSignal.any([signal, deadline]))
  signal.throwIfAborted()
  if (deadline.aborted) throw new Error('pocketsphinx_continuous did not get enough of this machine to finish')
  if (code === SHELL_NOT_FOUND) throw missing(complaint)
  if (code !== 0 && code !== null) throw new Error(`pocketsphinx_continuous ended with ${code}: ${complaint}`)
  return output
}

function missing(message: string): HTTPException {
  return new HTTPException(503, { message, cause: 'recogniser_missing' })
}

function isMissingProgram(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error && error.code === 'ENOENT' && 'path' in error
}
