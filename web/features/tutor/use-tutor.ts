import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useApi } from '#web/lib/api-context.tsx'
import { conversationQuery } from './conversation-query.ts'
import { type OtherTabs, openOtherTabs } from './other-tabs.ts'
import { isRunning, mergeTurns, type Turn } from './turn.ts'
import { makeTutorCalls } from './tutor-calls.ts'
import { type AskedBy, TutorChat, type Whereabouts } from './tutor-chat.ts'
import { useLatest } from './use-latest.ts'

export interface TutorOptions {
  moduleId: string
  readWhereabouts: () => Whereabouts
  /** An answer that was given on this page has ended, somehow. */
  onAnswer: (turn: Turn) => void
}

const NO_TURNS: readonly Turn[] = []

/** The conversation about a module: kept by the server, asked here, and the same in every tab. */
export function useTutor({ moduleId, readWhereabouts, onAnswer }: TutorOptions) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const calls = useMemo(() => makeTutorCalls(callApi, moduleId), [callApi, moduleId])
  const query = conversationQuery(calls, moduleId)
  const { data: kept = NO_TURNS, isPending, isError, refetch } = useQuery(query)
  const notifyTabs = useTabs(moduleId, () => void refetch())
  const now = useLatest({ calls, readWhereabouts, onAnswer, notifyTabs, refetch })
  const [chat] = useState(
    () =>
      new TutorChat({
        moduleId,
        readCalls: () => now.current.calls,
        readWhereabouts: () => now.current.readWhereabouts(),
        onAsked: () => now.current.notifyTabs(),
        onKept() {
          now.current.notifyTabs()
          void queryClient.invalidateQueries({ queryKey: query.queryKey })
        },
        reload: async () => (await now.current.refetch()).data ?? NO_TURNS,
        onAnswer: (turn) => now.current.onAnswer(turn),
      }),
  )
  useEffect(() => chat.close, [chat])
  const own = useSyncExternalStore(chat.subscribe, chat.readTurns)
  const turns = useMemo(() => mergeTurns(kept, own), [kept, own])

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

/** @returns notifies the other tabs */
function useTabs(moduleId: string, onChange: () => void): () => void {
  const tabs = useRef<OtherTabs>(null)
  const refresh = useEffectEvent(onChange)
  useEffect(() => {
    const opened = openOtherTabs(moduleId, () => refresh())
    tabs.current = opened
    return () => opened.close()
  }, [moduleId])
  return () => tabs.current?.notify()
}
