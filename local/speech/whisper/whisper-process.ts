import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const Word = z.object({ word: z.string(), start: z.number(), end: z.number(), probability: z.number() })

/** OpenAI's `verbose_json`, with the words of each segment. Words keep the blank that they begin with. */
const WhisperTranscription = z.object({
  task: z.literal('transcribe'),
  language: z.string(),
  duration: z.number(),
  text: z.string(),
  words: z.array(Word),
  segments: z.array(
    z.object({
      id: z.number(),
      start: z.number(),
      end: z.number(),
      text: z.string(),
      temperature: z.number(),
      avg_logprob: z.number(),
      compression_ratio: z.number(),
      no_speech_prob: z.number(),
      words: z.array(Word),
    }),
  ),
})
export type WhisperTranscription = z.infer<typeof WhisperTranscription>

const Answer = z.union([
  z.object({ ready: z.string() }),
  z.object({ id: z.number(), transcription: WhisperTranscription }),
  z.object({ id: z.number(), unreadable: z.string() }),
  z.object({ id: z.number().optional(), failed: z.string() }),
])
type Answer = z.infer<typeof Answer>

export interface WhisperStart {
  pythonPath: string
  packagesDir: string
  modelDir: string
  env: Record<string, string | undefined>
  /** Gets each line that the engine writes beside its answers. */
  onLine: (line: string) => void
}

export interface WhisperRequest {
  /** A file that is there until the answer is. */
  path: string
  /** ISO 639-1; null to let Whisper decide. */
  language: string | null
  prompt: string | null
}

/** The engine could not decode the audio. */
export class UnreadableAudio extends Error {
  override readonly name = 'UnreadableAudio'
}

/** The engine ended while it had work. */
export class EngineCrash extends Error {
  override readonly name = 'EngineCrash'
}

/** An engine that has its model in memory. */
export interface WhisperEngine {
  /** `cpu` or `cuda`. */
  device: string
  /** Settles when the process has ended, whatever the reason. */
  ended: Promise<void>
  /** @throws {UnreadableAudio} @throws {EngineCrash} */
  transcribe(request: WhisperRequest): Promise<WhisperTranscription>
  close(): Promise<void>
}

const SCRIPT = join(import.meta.dirname, 'transcribe.py')

/** Starts the engine, and waits until its model is loaded. @throws with why it does not load */
export async function startWhisper({ pythonPath, packagesDir, modelDir, env, onLine }: WhisperStart) {
  // Isolated: packages of the user's own and `PYTHONPATH` are not mixed in.
  const child = spawn(pythonPath, ['-I', SCRIPT, packagesDir, modelDir], { env, windowsHide: true })
  const answers = new Map<number, PromiseWithResolvers<WhisperTranscription>>()
  const ready = Promise.withResolvers<string>()
  const ended = new Promise<void>((resolve) => child.once('error', ready.reject).once('close', () => resolve()))
  createInterface({ input: child.stderr }).on('line', onLine)
  createInterface({ input: child.stdout }).on('line', (line) => settle(Answer.parse(JSON.parse(line)), answers, ready))
  // What is written to a process that has just ended is lost, as the request is.
  child.stdin.on('error', () => undefined)
  void ended.then(() => {
    const crash = new EngineCrash(`the engine ended (${child.signalCode ?? `exit code ${child.exitCode}`})`)
    ready.reject(crash)
    for (const { reject } of answers.values()) reject(crash)
  })
  const device = await ready.promise
  let lastId = 0
  const engine: WhisperEngine = {
    device,
    ended,
    transcribe(request) {
      const id = ++lastId
      const answer = Promise.withResolvers<WhisperTranscription>()
      answers.set(id, answer)
      if (!isRunning(child)) answer.reject(new EngineCrash('the engine has ended'))
      else child.stdin.write(`${JSON.stringify({ id, ...request })}\n`)
      return answer.promise.finally(() => answers.delete(id))
    },
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
  return engine
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

function settle(
  answer: Answer,
  answers: Map<number, PromiseWithResolvers<WhisperTranscription>>,
  ready: PromiseWithResolvers<string>,
): void {
  if ('ready' in answer) return ready.resolve(answer.ready)
  const waiting = answer.id === undefined ? null : answers.get(answer.id)
  if ('transcription' in answer) waiting?.resolve(answer.transcription)
  else if ('unreadable' in answer) waiting?.reject(new UnreadableAudio(answer.unreadable))
  else (waiting ?? ready).reject(new Error(answer.failed))
}
