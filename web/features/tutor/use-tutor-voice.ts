import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { regionalTagOf } from '#contract/languages.ts'
import { type SpokenRequest, SpokenText } from '#contract/tutor.ts'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { keepStored, readStored } from '#web/lib/browser-state.ts'
import type { AskedBy } from './tutor-chat.ts'
import { useLatest } from './use-latest.ts'
import { findRecogniser, RecogniserInput } from './voice/recogniser-input.ts'
import { canRecord, RecordingInput, type Transcribe } from './voice/recording-input.ts'
import { type OpenVoiceInput, type VoiceInput, voiceLanguage } from './voice/voice-input.ts'

/** The video beside the tutor. Seconds. */
export interface TutorVideo {
  /** Goes there and plays. */
  playFrom(seconds: number): void
  /** Pauses it while the learner speaks; `release` resumes it if it was playing. */
  hold(): void
  release(): void
  readonly isPlaying: boolean
}

interface Draft {
  text: string
  /** Anything of it was spoken. */
  by: AskedBy
}

const EMPTY: Draft = { text: '', by: 'keyboard' }

/** The question that is being written or said. */
export function useDraft() {
  const [draft, setDraft] = useState(EMPTY)
  const latest = useRef(draft)
  function change(next: Draft) {
    latest.current = next
    setDraft(next)
  }
  return {
    ...draft,
    write: (text: string) => change(text === '' ? EMPTY : { ...latest.current, text }),
    add: (spokenText: string) => change({ text: joinWords(latest.current.text, spokenText), by: 'voice' }),
    clear: () => change(EMPTY),
  }
}

export function joinWords(text: string, addedText: string): string {
  return addedText === '' || text === '' || /\s$/.test(text) ? `${text}${addedText}` : `${text} ${addedText}`
}

/** A minute of speech on a slow line, and the time to transcribe it. */
const TRANSCRIBE_TIMEOUT_MS = 25_000

interface TutorVoiceOptions {
  moduleId: string
  video: TutorVideo
  aloud: SpokenAnswers
  /** The tutor is answering. */
  isBusy: boolean
  draft: ReturnType<typeof useDraft>
}

/** Turns speech into a question while the video is paused. */
export function useTutorVoice({ moduleId, video, aloud, isBusy, draft }: TutorVoiceOptions) {
  const voice = useVoice({
    moduleId,
    purpose: 'question',
    // While the video plays, the microphone picks up mostly the video.
    onPhrase: (phrase) => video.isPlaying || draft.add(phrase),
  })
  const isTranscribing = voice.state === 'listening' || voice.isWriting
  const isAsking = (draft.by === 'voice' && draft.text !== '') || (aloud.isOn && isBusy)
  const isHeld = isTranscribing || isAsking || aloud.isSpeaking
  const hold = useEffectEvent(() => video.hold())
  const release = useEffectEvent(() => video.release())
  useEffect(() => {
    if (!isHeld) return
    hold()
    return () => release()
  }, [isHeld])
  return {
    ...voice,
    interim: video.isPlaying ? '' : voice.interim,
    start() {
      aloud.stop()
      voice.start()
    },
  }
}

/** @see specification §4 */
type VoiceState = 'idle' | 'listening' | 'denied' | 'error' | 'unsupported'

interface VoiceOptions {
  /** Whose owner's speech service transcribes what a browser cannot. */
  moduleId: string
  purpose: SpokenRequest['purpose']
  onPhrase: (text: string) => void
}

interface Now {
  state: VoiceState
  /** Recording has ended; the speech is being transcribed. */
  isWriting: boolean
  /** The current phrase, as far as it is recognised. */
  interim: string
  /** What went wrong, in the state `error`. */
  message: string
}

export type Voice = ReturnType<typeof useVoice>

const IDLE: Now = { state: 'idle', isWriting: false, interim: '', message: '' }

/** Transcribes a person's speech, in the way that their browser supports. */
export function useVoice(options: VoiceOptions) {
  const latest = useLatest({ ...options, callApi: useApi() })
  const [ways, setWays] = useState<readonly OpenVoiceInput[]>(() =>
    chooseVoiceInputs((recording, signal) => transcribe(latest.current, recording, signal)),
  )
  const [now, setNow] = useState<Now>(() => (ways.length === 0 ? { ...IDLE, state: 'unsupported' } : IDLE))
  const input = useRef<VoiceInput>(null)
  useEffect(() => () => input.current?.cancel(), [])

  function open(remainingWays: readonly OpenVoiceInput[]) {
    const [way, ...others] = remainingWays
    if (way === undefined) return
    input.current = way({
      onInterim: (interim) => setNow((before) => ({ ...before, interim })),
      onPhrase(text) {
        setNow((before) => ({ ...before, interim: '' }))
        latest.current.onPhrase(text)
      },
      onWriting: () => setNow({ ...IDLE, isWriting: true }),
      onEnd: () => close(IDLE),
      onProblem(problem) {
        if (problem.kind === 'denied') return close({ ...IDLE, state: 'denied' })
        if (problem.kind === 'error' || others.length === 0) {
          return close({ ...IDLE, state: 'error', message: problem.message })
        }
        setWays(others)
        open(others)
      },
    })
    input.current.start()
  }
  function close(then: Now) {
    input.current = null
    setNow(then)
  }
  return {
    ...now,
    start() {
      if (input.current !== null || ways.length === 0) return
      setNow({ ...IDLE, state: 'listening' })
      open(ways)
    },
    stop() {
      input.current?.stop()
    },
    cancel() {
      if (input.current === null) return
      input.current.cancel()
      close(IDLE)
    },
    /** What is being said now is not wanted. */
    skip() {
      input.current?.skip()
      setNow((before) => ({ ...before, interim: '' }))
    },
  }
}

async function transcribe(
  { moduleId, purpose, callApi }: Pick<VoiceOptions, 'moduleId' | 'purpose'> & { callApi: CallApi },
  recording: Blob,
  signal: AbortSignal,
): Promise<string> {
  const path = `/api/qa/transcribe?${new URLSearchParams({ moduleId, language: voiceLanguage(), purpose })}`
  const file = { content: recording, contentType: recording.type }
  const call = { path, method: 'POST', file, schema: SpokenText, signal, timeoutMs: TRANSCRIBE_TIMEOUT_MS } as const
  return (await callApi(call)).text
}

/** Android's recogniser ignores `continuous`, beeps at each start and loses speech in between. */
const LOSES_SPEECH = /Android/i

/** The ways in which this browser can listen, the best first; none where it cannot. */
function chooseVoiceInputs(transcribe: Transcribe): OpenVoiceInput[] {
  const Maker = findRecogniser()
  const recognise: OpenVoiceInput[] = Maker === null ? [] : [(listener) => new RecogniserInput(Maker, listener)]
  const record: OpenVoiceInput[] = canRecord() ? [(listener) => new RecordingInput(transcribe, listener)] : []
  return LOSES_SPEECH.test(navigator.userAgent) ? [...record, ...recognise] : [...recognise, ...record]
}

const KEPT_ALOUD_AS = 'adapt_tutor_aloud'

/** Reads answers aloud where the learner has turned that on. */
export function useSpokenAnswers() {
  const [isOn, setIsOn] = useState(() => canSpeak() && readStored(KEPT_ALOUD_AS) === 'yes')
  const [isSpeaking, setIsSpeaking] = useState(false)
  const speechCount = useRef(0)
  useEffect(() => hush, [])

  function stop() {
    hush()
    setIsSpeaking(false)
  }
  return {
    isPossible: canSpeak(),
    isOn,
    isSpeaking,
    stop,
    toggle: () => {
      keepStored(KEPT_ALOUD_AS, isOn ? 'no' : 'yes')
      setIsOn(!isOn)
      if (isOn) stop()
    },
    /** Where that is wished. @param language of the answer, BCP 47; undefined: the page's */
    say: (answer: string, language: string | undefined) => {
      if (!isOn) return
      speechCount.current += 1
      const mine = speechCount.current
      setIsSpeaking(true)
      // The end of an interrupted answer arrives while the next one is being read.
      const voice = language === undefined ? voiceLanguage() : regionalTagOf(language)
      speak(answer, voice, () => mine === speechCount.current && setIsSpeaking(false))
    },
  }
}

type SpokenAnswers = ReturnType<typeof useSpokenAnswers>

/** Longer utterances are cut off by Chrome after some 15 s, so it is given sentences. */
const SENTENCE = /[^.!?…\n]+[.!?…]*["”’)]*|\n+/g
/** Times are for the eye. */
const TIMES = /\s?\(\d{1,3}:\d{2}(?::\d{2})?\)/g

function canSpeak(): boolean {
  return typeof speechSynthesis !== 'undefined' && typeof SpeechSynthesisUtterance !== 'undefined'
}

/** The parts of an answer as they are said. */
function listUtterances(answer: string): string[] {
  const sentences = answer.replace(TIMES, '').match(SENTENCE) ?? []
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Reads an answer aloud, and ends the one before. `onEnd` is called once, also when it is interrupted. */
function speak(answer: string, language: string, onEnd: () => void): void {
  speechSynthesis.cancel()
  const utterances = listUtterances(answer).map((text) => new SpeechSynthesisUtterance(text))
  const last = utterances.at(-1)
  if (last === undefined) return onEnd()
  let isOver = false
  function end() {
    if (!isOver) onEnd()
    isOver = true
  }
  last.onend = end
  for (const utterance of utterances) {
    utterance.lang = language
    utterance.onerror = end
    speechSynthesis.speak(utterance)
  }
}

function hush(): void {
  if (canSpeak()) speechSynthesis.cancel()
}
