import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HTTPException } from 'hono/http-exception'
import type { Recogniser } from './recogniser.ts'
import {
  EngineCrash,
  startWhisper,
  UnreadableAudio,
  type WhisperEngine,
  type WhisperRequest,
  type WhisperStart,
  type WhisperTranscription,
} from './whisper/whisper-process.ts'

export interface WhisperRecogniser extends Recogniser {
  close(): Promise<void>
}

/** How long a transcription whose client is gone may go on: it cannot be interrupted, only killed. */
const UNWANTED_MS = 30_000

/**
 * Opens Whisper, one transcription at a time with all cores. An engine that crashes is started again.
 * @param workDir an existing folder for temporary files
 * @throws with why it does not start
 */
export async function openWhisper(start: WhisperStart, workDir: string): Promise<WhisperRecogniser> {
  let engine = keep(startWhisper(start))
  const { device } = await engine
  let isClosed = false

  async function attempt(request: WhisperRequest, signal: AbortSignal): Promise<WhisperTranscription> {
    const running = await engine
    const kill = () => void setTimeout(() => void running.close(), UNWANTED_MS).unref()
    signal.addEventListener('abort', kill, { once: true })
    try {
      return await running.transcribe(request)
    } catch (error) {
      if (error instanceof EngineCrash && !isClosed) engine = keep(startWhisper(start))
      throw error
    } finally {
      signal.removeEventListener('abort', kill)
    }
  }

  return {
    model: `whisper-${basename(start.modelDir)}${device === 'cpu' ? '' : ` on ${device}`}`,
    ownedBy: 'openai',
    atOnce: 1,
    async transcribe({ audio, language, prompt, signal }) {
      const dir = await mkdtemp(join(workDir, 'adapt-speech-'))
      try {
        const path = join(dir, 'audio')
        await writeFile(path, audio)
        const request = { path, language, prompt }
        return await attempt(request, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          if (!(error instanceof EngineCrash)) throw error
          return attempt(request, signal)
        })
      } catch (error) {
        throw refuseAudio(error)
      } finally {
        await rm(dir, { recursive: true, force: true })
      }
    },
    async close() {
      isClosed = true
      const running = await engine.catch(() => null)
      await running?.close()
    },
  }
}

/** Its failure is thrown where it is waited for, which may be later. */
function keep(engine: Promise<WhisperEngine>): Promise<WhisperEngine> {
  engine.catch(() => undefined)
  return engine
}

/** Audio that crashes a fresh engine does so each time. */
function refuseAudio(error: unknown): unknown {
  if (!(error instanceof UnreadableAudio || error instanceof EngineCrash)) return error
  return new HTTPException(400, {
    message: `The audio could not be decoded: ${error.message}`,
    cause: 'audio_unreadable',
  })
}
