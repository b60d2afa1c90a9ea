import { useEffect, useEffectEvent, useState } from 'react'
import { SpokenText } from '#contract/tutor.ts'
import { useApi } from '#web/lib/api-context.tsx'
import type { TutorVideo } from './tutor-video.ts'
import type { Draft } from './use-draft.ts'
import { readCommand, type VideoCommand } from './voice/read-command.ts'
import type { SpokenAnswers } from './voice/use-spoken-answers.ts'
import { useVoice, type Voice } from './voice/use-voice.ts'

/** A minute of speech on a slow line, and the time to transcribe it. */
const TRANSCRIBE_TIMEOUT_MS = 25_000

const FEEDBACK: Record<VideoCommand, string> = {
  next: 'Next step.',
  previous: 'Previous step.',
  repeat: 'The step again.',
  slower: 'Slower.',
  faster: 'Faster.',
  stop: 'Stopped.',
}

interface TutorVoiceOptions {
  moduleId: string
  video: TutorVideo
  aloud: SpokenAnswers
  tutor: { isBusy: boolean; stop: () => void }
  draft: { text: string; by: string; add: (said: string) => void; read: () => Draft }
  onSend: (said: Draft) => void
}

export interface TutorVoice extends Voice {
  /** What was done on command last. */
  feedback: string
}

/** Handles spoken phrases: commands act on the video, everything else becomes the question. */
export function useTutorVoice({ moduleId, video, aloud, tutor, draft, onSend }: TutorVoiceOptions): TutorVoice {
  const callApi = useApi()
  const [feedback, setFeedback] = useState('')
  const voice = useVoice({
    async transcribe(recording, signal) {
      const path = `/api/qa/transcribe?moduleId=${encodeURIComponent(moduleId)}`
      const file = { content: recording, contentType: recording.type }
      const timeoutMs = TRANSCRIBE_TIMEOUT_MS
      return (await callApi({ path, method: 'POST', file, schema: SpokenText, signal, timeoutMs })).text
    },
    onPhrase: hearPhrase,
  })
  function hearPhrase(phrase: string) {
    const command = readCommand(phrase)
    // While the video plays, the microphone picks up mostly the video.
    if (command === null) return video.isPlaying ? undefined : draft.add(phrase)
    if (command === 'send') return onSend(draft.read())
    setFeedback(FEEDBACK[command])
    if (command === 'stop' && tutor.isBusy) return tutor.stop()
    video.obey(command)
  }
  const isTranscribing = voice.state === 'listening' || voice.isWriting
  const isAsking = (draft.by === 'voice' && draft.text !== '') || (aloud.isOn && tutor.isBusy)
  useHeldVideo(video, isTranscribing || isAsking || aloud.isSpeaking)
  return {
    ...voice,
    feedback,
    interim: video.isPlaying ? '' : voice.interim,
    start() {
      setFeedback('')
      aloud.stop()
      voice.start()
    },
  }
}

function useHeldVideo(video: TutorVideo, isHeld: boolean): void {
  const hold = useEffectEvent(() => video.hold())
  const release = useEffectEvent(() => video.release())
  useEffect(() => {
    if (!isHeld) return
    hold()
    return () => release()
  }, [isHeld])
}
