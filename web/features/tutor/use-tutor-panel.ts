import { type ReactNode, useState } from 'react'
import { useIsOnline } from '#web/lib/use-is-online.ts'
import { type Availability, canAnswer } from './availability.ts'
import type { RatedAnswer } from './turn-view.tsx'
import type { AskedBy, Whereabouts } from './tutor-chat.ts'
import type { TutorVideo } from './tutor-video.ts'
import { useAnnouncement } from './use-announcement.ts'
import { type Draft, joinWords, useDraft } from './use-draft.ts'
import { useTutor } from './use-tutor.ts'
import { useTutorVoice } from './use-tutor-voice.ts'
import { useSpokenAnswers } from './voice/use-spoken-answers.ts'

export interface TutorPanelProps {
  moduleId: string
  availability: Availability
  video: TutorVideo
  /** Where the steps begin, in seconds. The same list for as long as they are the same. */
  stepStarts: readonly number[]
  /** Of the step that plays, or else the first; null where there are none. */
  stepTitle: string | null
  readWhereabouts: () => Whereabouts
  renderRating: (rated: RatedAnswer) => ReactNode
}

/** Ties together what the tutor's panel is made of: conversation, draft, voice, and answers read aloud. */
export function useTutorPanel({ moduleId, availability, video, readWhereabouts }: TutorPanelProps, isWide: boolean) {
  const isOnline = useIsOnline()
  const opening = useOpening(isWide)
  const { announcement, publishAsked, publishAnswered } = useAnnouncement()
  const aloud = useSpokenAnswers()
  const draft = useDraft()
  const tutor = useTutor({
    moduleId,
    readWhereabouts,
    onAnswer(turn) {
      publishAnswered(turn)
      // Of several tabs with the same answer one says it.
      if (turn.state === 'complete' && document.visibilityState === 'visible') aloud.say(turn.text)
    },
  })
  const { isBusy } = tutor
  const isOff = !canAnswer(availability)
  const voice = useTutorVoice({ moduleId, video, aloud, tutor: { isBusy, stop }, draft, onSend: send })
  const text = joinWords(draft.text, voice.interim)

  function ask(question: string, by: AskedBy) {
    if (isBusy || isOff || !isOnline) return
    opening.open()
    aloud.stop()
    publishAsked()
    tutor.ask(question, by)
  }
  function send(written: Draft = { text, by: voice.interim === '' ? draft.by : 'voice' }) {
    const question = written.text.trim()
    if (question === '' || isBusy) return
    voice.skip()
    draft.clear()
    ask(question, written.by)
  }
  function write(words: string) {
    // A phrase that is spoken while the learner types would be added to their edited text.
    if (voice.interim !== '') voice.skip()
    draft.write(words)
  }
  function stop() {
    aloud.stop()
    tutor.stop()
  }
  return { tutor, opening, announcement, aloud, voice, text, isOnline, isOff, ask, send, write, stop }
}

export type TutorPanelState = ReturnType<typeof useTutorPanel>

/** Always open where there is a column for it; elsewhere only when it is used. */
function useOpening(isWide: boolean) {
  const [now, setNow] = useState<'untouched' | 'used' | 'shown' | 'closed'>('untouched')
  return {
    isOpen: isWide || now === 'used' || now === 'shown',
    /** The learner has asked to see it, so it takes the focus. */
    wasShown: now === 'shown',
    /** The learner has just closed it. */
    wasClosed: now === 'closed',
    /** It is used, from wherever. */
    open: () => setNow('used'),
    show: () => setNow('shown'),
    close: () => setNow('closed'),
  }
}
