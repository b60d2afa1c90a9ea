import * as m from '#messages'
import { type VoiceInput, type VoiceListener, type VoiceProblem, voiceLanguage } from './voice-input.ts'

/** The part of the browser's speech recognition that is used; TypeScript's own library does not know it. */
export interface Recogniser {
  lang: string
  continuous: boolean
  interimResults: boolean
  onresult: ((event: RecogniserResult) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
  abort(): void
}

interface RecogniserResult {
  results: ArrayLike<{ isFinal: boolean; [index: number]: { transcript: string } }>
}

type RecogniserMaker = new () => Recogniser

/** Null where the browser has none, as in Firefox. */
export function findRecogniser(): RecogniserMaker | null {
  const scope = globalThis as { SpeechRecognition?: RecogniserMaker; webkitSpeechRecognition?: RecogniserMaker }
  return scope.SpeechRecognition ?? scope.webkitSpeechRecognition ?? null
}

/** Safari sometimes never says that it has stopped. */
const STOP_DEADLINE_MS = 1_500
/** Browsers end by themselves after a silence or a minute; who still listens begins again. */
const RESTART_MS = 250
/** One that ends so soon so often does not work. */
const SHORT_MS = 1_000
const SHORT_MAX = 3

const PROBLEMS: Record<string, VoiceProblem> = {
  'not-allowed': { kind: 'denied' },
  'audio-capture': { kind: 'error', message: m.no_microphone_was_found() },
  // Brave and some others have the interface but nothing behind it.
  network: { kind: 'unusable', message: m.speech_recognition_cannot_be_reached() },
  'service-not-allowed': { kind: 'unusable', message: m.this_browser_does_not_allow() },
  'language-not-supported': { kind: 'unusable', message: m.this_browser_does_not_understand() },
}
/** Silence is no mistake (specification §4); an abort is our own. */
const IGNORED: ReadonlySet<string> = new Set(['no-speech', 'aborted'])
const ENDS_AT_ONCE: VoiceProblem = { kind: 'unusable', message: m.speech_recognition_ends_by_itself() }

/** Transcribes with the browser's own speech recognition, word by word. */
export class RecogniserInput implements VoiceInput {
  readonly #Maker: RecogniserMaker
  readonly #listener: VoiceListener
  readonly #language: string
  #recogniser: Recogniser | null = null
  #isWanted = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #beganAtMs = 0
  #shortOnes = 0
  /** Results of the running recogniser that are settled or not wanted. */
  #taken = 0
  #resultCount = 0
  #interim = ''

  constructor(Maker: RecogniserMaker, listener: VoiceListener, language: string = voiceLanguage()) {
    this.#Maker = Maker
    this.#listener = listener
    this.#language = language
  }

  start(): void {
    this.#isWanted = true
    this.#open()
  }

  stop(): void {
    this.#isWanted = false
    clearTimeout(this.#timer)
    if (this.#recogniser === null) return this.#finish()
    this.#timer = setTimeout(() => this.#finish(), STOP_DEADLINE_MS)
    this.#recogniser.stop()
  }

  cancel(): void {
    this.#isWanted = false
    this.#interim = ''
    this.#close()
  }

  skip(): void {
    this.#taken = this.#resultCount
    this.#interim = ''
  }

  #open(): void {
    const recogniser = new this.#Maker()
    recogniser.lang = this.#language
    recogniser.continuous = true
    recogniser.interimResults = true
    recogniser.onresult = (event) => this.#take(event)
    recogniser.onerror = ({ error }) => {
      if (!IGNORED.has(error))
        this.#fail(PROBLEMS[error] ?? { kind: 'error', message: m.listening_failed_error({ error }) })
    }
    recogniser.onend = () => this.#end()
    this.#recogniser = recogniser
    this.#taken = 0
    this.#resultCount = 0
    this.#beganAtMs = Date.now()
    recogniser.start()
  }

  #take({ results }: RecogniserResult): void {
    this.#resultCount = results.length
    let interim = ''
    for (let index = this.#taken; index < results.length; index += 1) {
      const result = results[index]
      const text = result?.[0]?.transcript.trim() ?? ''
      if (result?.isFinal !== true) interim = `${interim} ${text}`.trim()
      else {
        this.#taken = index + 1
        if (text !== '') this.#listener.onPhrase(text)
      }
    }
    this.#interim = interim
    this.#listener.onInterim(interim)
  }

  #end(): void {
    if (!this.#isWanted) return this.#finish()
    this.#settleInterim()
    this.#shortOnes = Date.now() - this.#beganAtMs < SHORT_MS && this.#resultCount === 0 ? this.#shortOnes + 1 : 0
    if (this.#shortOnes >= SHORT_MAX) return this.#fail(ENDS_AT_ONCE)
    this.#close()
    this.#timer = setTimeout(() => this.#open(), RESTART_MS)
  }

  /** Not every browser calls the last words final before it ends. */
  #settleInterim(): void {
    const last = this.#interim
    this.#interim = ''
    if (last !== '') this.#listener.onPhrase(last)
  }

  #finish(): void {
    this.#settleInterim()
    this.#close()
    this.#listener.onEnd()
  }

  #fail(problem: VoiceProblem): void {
    this.#isWanted = false
    this.#close()
    this.#listener.onProblem(problem)
  }

  #close(): void {
    clearTimeout(this.#timer)
    const recogniser = this.#recogniser
    this.#recogniser = null
    if (recogniser === null) return
    recogniser.onresult = recogniser.onerror = recogniser.onend = null
    recogniser.abort()
  }
}
