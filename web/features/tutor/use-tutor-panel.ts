import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { useIsOnline } from '#web/lib/browser-state.ts'
import { useStore } from '#web/lib/use-store.ts'
import { makeTutorCalls } from './get-answer.ts'
import { describeExcess } from './question-field.tsx'
import { describeFailure, isRunning, type RatedAnswer, type Turn } from './turn-view.tsx'
import {
  type AskedBy,
  listTurns,
  mergeTurns,
  TutorChat,
  type TutorChatOptions,
  type Whereabouts,
} from './tutor-chat.ts'
import { useLatest } from './use-latest.ts'
import { joinWords, type TutorVideo, useDraft, useSpokenAnswers, useTutorVoice } from './use-tutor-voice.ts'

/**
 * What the tutor knows: the whole transcript, what is transcribed so far, the steps alone, nothing, or nothing yet
 * because the video is still being processed.
 */
export type Availability = 'ready' | 'so-far' | 'steps-only' | 'nothing' | 'processing'

/** What to say of it; null where there is nothing to say. */
export const AVAILABILITY_NOTES: Record<Availability, string | null> = {
  ready: null,
  'so-far': m.the_video_is_still_being(),
  'steps-only': m.this_video_has_no_transcript(),
  nothing: m.there_is_nothing_that_the(),
  processing: m.you_can_ask_as_soon(),
}

export interface TutorPanelProps {
  moduleId: string
  availability: Availability
  video: TutorVideo
  /** Where the steps begin, in seconds. The same list for as long as they are the same. */
  stepStarts: readonly number[]
  /** Shows the picture at a moment of the video, where there is one. */
  renderFrame?: ((seconds: number) => ReactNode) | undefined
  /** Of the step that plays, or else the first; null where there are none. */
  stepTitle: string | null
  readWhereabouts: () => Whereabouts
  renderRating: (rated: RatedAnswer) => ReactNode
  /** Left out where the trainer cannot be asked. */
  renderAsk?: (turn: Turn) => ReactNode
}

/** Ties together what the tutor's panel is made of: conversation, draft, voice, and answers read aloud. */
export function useTutorPanel({ moduleId, availability, video, readWhereabouts }: TutorPanelProps, isWide: boolean) {
  const isOnline = useIsOnline()
  const opening = useOpening(isWide)
  /** For screen readers: answers are announced once and whole, never word by word. */
  const [announcement, setAnnouncement] = useState('')
  const aloud = useSpokenAnswers()
  const draft = useDraft()
  const tutor = useTutor({
    moduleId,
    readWhereabouts,
    onAnswer(turn) {
      setAnnouncement(describeTurn(turn))
      // Of several tabs with the same answer one says it.
      if (turn.state === 'complete' && document.visibilityState === 'visible') aloud.say(turn.text, turn.meta?.language)
    },
  })
  const { isBusy } = tutor
  /** There is nothing to answer from. */
  const isOff = availability === 'nothing' || availability === 'processing'
  const voice = useTutorVoice({ moduleId, video, aloud, isBusy, draft })
  const text = joinWords(draft.text, voice.interim)

  const canAsk = !isBusy && !isOff && isOnline

  function ask(question: string, by: AskedBy) {
    if (!canAsk) return
    opening.open()
    aloud.stop()
    setAnnouncement(m.the_tutor_is_typing())
    tutor.ask(question, by)
  }
  function send() {
    voice.skip()
    draft.clear()
    ask(text.trim(), voice.interim === '' ? draft.by : 'voice')
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
  const canSend = canAsk && text.trim() !== '' && describeExcess(text) === ''
  return { tutor, opening, announcement, aloud, voice, text, canSend, isOnline, isOff, ask, send, write, stop }
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

function describeTurn({ state, text, failure }: Turn): string {
  if (state === 'complete') return m.the_tutor_text({ text })
  if (state === 'stopped') return m.the_answer_was_stopped()
  const reason = failure === null ? '' : describeFailure(failure)
  return state === 'broken' ? m.the_answer_broke_off_reason({ reason }).trim() : reason
}

const NO_TURNS: readonly Turn[] = []

/** The conversation about a module. The server stores it, so it is the same in every tab. */
function useTutor(options: Pick<TutorChatOptions, 'moduleId' | 'readWhereabouts' | 'onAnswer'>) {
  const { moduleId } = options
  const callApi = useApi()
  const queryClient = useQueryClient()
  const calls = useMemo(() => makeTutorCalls(callApi, moduleId), [callApi, moduleId])
  const query = queryOptions({
    queryKey: ['conversation', moduleId],
    queryFn: async ({ signal }) => listTurns(await calls.readConversation(signal)),
  })
  const { data: storedTurns = NO_TURNS, isPending, isError, refetch } = useQuery(query)
  const notifyTabs = useTabs(moduleId, () => void refetch())
  const now = useLatest<TutorChatOptions>({
    ...options,
    calls,
    onAsked: notifyTabs,
    onKept() {
      notifyTabs()
      void queryClient.invalidateQueries({ queryKey: query.queryKey })
    },
    reload: async () => (await refetch()).data ?? NO_TURNS,
  })
  const [chat] = useState(() => new TutorChat(() => now.current))
  useEffect(() => chat.close, [chat])
  const own = useStore(chat.store)
  const turns = useMemo(() => mergeTurns(storedTurns, own), [storedTurns, own])

  const running = turns.find(isRunning)
  useEffect(() => {
    if (running !== undefined && !chat.isBusy) chat.follow(running)
  }, [running, chat])

  return {
    turns,
    isLoading: isPending,
    hasFailedToLoad: isError,
    reload: refetch,
    isBusy: running !== undefined,
    ask: useCallback((question: string, by: AskedBy) => chat.ask(question, by), [chat]),
    stop: useCallback(() => chat.stop(), [chat]),
    retry: useCallback((turn: Turn) => chat.retry(turn), [chat]),
    forget: async () => {
      await calls.forget()
      chat.forget()
      queryClient.setQueryData(query.queryKey, [])
      notifyTabs()
    },
  }
}

/** One channel for all modules; a message is a hint to reload, and carries no answer. */
const CHANNEL = 'adapt_tutor'

/**
 * Is notified by other tabs of this browser that the conversation about a module has changed.
 * @returns notifies them
 */
function useTabs(moduleId: string, onChange: () => void): () => void {
  const channel = useRef<BroadcastChannel>(null)
  const refresh = useEffectEvent(onChange)
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return
    const opened = new BroadcastChannel(CHANNEL)
    opened.onmessage = ({ data }) => data === moduleId && refresh()
    channel.current = opened
    return () => {
      channel.current = null
      opened.close()
    }
  }, [moduleId])
  return () => channel.current?.postMessage(moduleId)
}
