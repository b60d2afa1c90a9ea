import { RECORDING_MAX_BYTES } from '#contract/limits.ts'
import * as m from '#messages'
import type { VoiceInput, VoiceListener, VoiceProblem } from './voice-input.ts'

export type Transcribe = (recording: Blob, signal: AbortSignal) => Promise<string>

/** What servers read best comes first; every browser that records has one of them. */
const TYPES = ['audio/mp4', 'audio/ogg;codecs=opus', 'audio/webm;codecs=opus']
/** Plenty for speech: a minute is a quarter of a megabyte. */
const BITS_PER_SECOND = 32_000
const LONGEST_MS = 60_000
/** A press by mistake. */
const SHORTEST_MS = 300

const FAILED = m.what_you_said_could_not()

export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && navigator.mediaDevices?.getUserMedia !== undefined
}

/** Records speech and has it transcribed afterwards. */
export class RecordingInput implements VoiceInput {
  readonly #transcribe: Transcribe
  readonly #listener: VoiceListener
  readonly #over = new AbortController()
  #recorder: MediaRecorder | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false

  constructor(transcribe: Transcribe, listener: VoiceListener) {
    this.#transcribe = transcribe
    this.#listener = listener
  }

  start(): void {
    void this.#record()
  }

  stop(): void {
    this.#isStopped = true
    if (this.#recorder?.state === 'recording') this.#recorder.stop()
  }

  cancel(): void {
    this.#over.abort()
    this.stop()
  }

  /** Nothing is known before it is written down. */
  skip(): void {}

  async #record(): Promise<void> {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const recording = await this.#takeDown(stream)
      if (this.#over.signal.aborted) return
      if (recording !== null) await this.#write(recording)
      this.#listener.onEnd()
    } catch (error) {
      if (!this.#over.signal.aborted) this.#listener.onProblem(nameProblem(error))
    }
  }

  /** Until it is stopped. Null when there is nothing on it. */
  #takeDown(stream: MediaStream): Promise<Blob | null> {
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
    const options = { audioBitsPerSecond: BITS_PER_SECOND, ...(mimeType === undefined ? {} : { mimeType }) }
    const recorder = new MediaRecorder(stream, options)
    const parts: Blob[] = []
    const beganAtMs = Date.now()
    return new Promise((resolve, reject) => {
      recorder.ondataavailable = ({ data }) => parts.push(data)
      recorder.onerror = () => reject(new Error(FAILED))
      recorder.onstop = () => {
        clearTimeout(this.#timer)
        for (const track of stream.getTracks()) track.stop()
        const recording = new Blob(parts, { type: recorder.mimeType })
        const isEmpty = recording.size === 0 || Date.now() - beganAtMs < SHORTEST_MS
        resolve(isEmpty ? null : recording)
      }
      this.#recorder = recorder
      recorder.start()
      this.#timer = setTimeout(() => this.stop(), LONGEST_MS)
      // The permission may be granted after the button was released.
      if (this.#isStopped) recorder.stop()
    })
  }

  async #write(recording: Blob): Promise<void> {
    if (recording.size > RECORDING_MAX_BYTES) throw new Error(m.that_was_too_long_please())
    this.#listener.onWriting()
    const text = (await this.#transcribe(recording, this.#over.signal)).trim()
    if (text !== '' && !this.#over.signal.aborted) this.#listener.onPhrase(text)
  }
}

function nameProblem(error: unknown): VoiceProblem {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : new Error(FAILED)
  if (name === 'NotAllowedError' || name === 'SecurityError') return { kind: 'denied' }
  if (name === 'NotFoundError') return { kind: 'error', message: m.no_microphone_was_found() }
  if (name === 'NotReadableError') return { kind: 'error', message: m.the_microphone_is_in_use() }
  return { kind: 'error', message: message === '' ? FAILED : message }
}
