import { type QueryClient, type QueryKey, type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { STEPS_RELOAD_DELAY_MS } from '#contract/limits.ts'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import type { ModuleStatus } from '#contract/module.ts'
import type { StepsAnswer } from '#contract/step.ts'
import * as m from '#messages'
import { type LiveSocketOptions, openLiveSocket } from '#web/features/live/live-socket.ts'
import { proposalsQuery } from '#web/features/proposal/proposal-panel.tsx'
import { stepsQuery } from '#web/features/step/steps-query.ts'
import { useStepSaves } from '#web/features/step-editor/use-step-saves.ts'
import { stepReportsKey } from '#web/features/step-report/step-reports-query.ts'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { transcriptQuery } from '#web/features/transcript/transcript-query.ts'
import { useApi } from '#web/lib/api.ts'
import { moduleKey } from '#web/lib/module-cache.ts'
import { replaceQueryData } from '#web/lib/query-client.ts'

export function useModuleSaves(moduleId: string, query: UseQueryResult<StepsAnswer>) {
  const callApi = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = moduleQuery(callApi, moduleId)
  return useStepSaves({
    moduleId,
    stepsKey: stepsQuery(callApi, moduleId).queryKey,
    answer: query.data,
    readEmptyVersion: () => queryClient.getQueryData(queryKey)?.stepsVersion ?? 0,
  })
}

/** Reloads a module at once, when a call has changed more of it than its answer contains. */
export function useReloadModule(moduleId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: moduleKey(moduleId) })
}

/** Shows the steps that a call of its own has answered with, and what else of the module depends on them. */
export function useReplaceSteps(moduleId: string): (answer: StepsAnswer) => void {
  const callApi = useApi()
  const queryClient = useQueryClient()
  return (answer) => {
    void replaceQueryData(queryClient, stepsQuery(callApi, moduleId).queryKey, () => answer)
    void queryClient.invalidateQueries({ queryKey: moduleKey(moduleId) })
  }
}

/** A poll can be a moment ahead of the event for the same change. */
const EVENT_GRACE_MS = 1_000

const ANNOUNCEMENTS: Record<ModuleStatus, string> = {
  PROCESSING: m.processing_has_started(),
  READY: m.the_training_is_ready(),
  FAILED: m.processing_failed(),
}

/** The same of a training that is made again. */
const NEW_VERSIONS: Record<ModuleStatus, string> = {
  PROCESSING: m.a_new_version_is_being(),
  READY: m.the_new_version_is_ready(),
  FAILED: m.the_new_version_could_not(),
}

/**
 * Keeps what the training page shows in step with the module, pushed or polled: steps when their version moves,
 * the transcript when it grows, everything once more shortly after the end.
 * @returns what to say to people who do not see the page change
 */
export function useTrainingUpdates(moduleId: string, module: LoadedModule | undefined): string {
  const queryClient = useQueryClient()
  const callApi = useApi()
  const { queryKey: ownKey } = moduleQuery(callApi, moduleId)
  const { queryKey: stepsKey } = stepsQuery(callApi, moduleId)
  const { queryKey: transcriptKey } = transcriptQuery(callApi, moduleId)
  const { queryKey: proposalsKey } = proposalsQuery(callApi, moduleId)
  const [announcement, setAnnouncement] = useState('')
  const refreshModule = useQueryRefresher(ownKey)
  const refreshTranscript = useQueryRefresher(transcriptKey)
  const hasNewestSteps = () =>
    queryClient.getQueryData(stepsKey)?.meta.version === queryClient.getQueryData(ownKey)?.stepsVersion
  const refreshSteps = useQueryRefresher(stepsKey, hasNewestSteps)
  const lastEvent = useRef<{ progress: number; segmentCount: number } | null>(null)

  async function applyEvent({ status, progress, message, stepsVersion, segmentCount, ...event }: LiveEvent) {
    if (event.danger) void queryClient.invalidateQueries({ queryKey: stepReportsKey(moduleId) })
    const newVersion = event.newVersion ?? null
    // A response to an earlier request is older than the event and must not overwrite it.
    const wasLoading = queryClient.isFetching({ queryKey: ownKey }) > 0
    await queryClient.cancelQueries({ queryKey: ownKey })
    const before = queryClient.getQueryData(ownKey)
    if (before === undefined) return
    const knownSegments = lastEvent.current?.segmentCount ?? queryClient.getQueryData(transcriptKey)?.segments.length
    lastEvent.current = { progress, segmentCount }
    queryClient.setQueryData(ownKey, { ...before, status, progress, message, newVersion, stepsVersion })
    const isTurned = before.status !== status || before.newVersion?.status !== newVersion?.status
    if (wasLoading || isTurned || !before.hasVideo) refreshModule()
    if (knownSegments !== segmentCount) refreshTranscript()
  }
  useLiveModule({ moduleId, enabled: module !== undefined, onEvent: applyEvent })

  useOnChange(module?.stepsVersion, () => {
    const isMadeElsewhere = !hasNewestSteps()
    if (isMadeElsewhere) refreshSteps()
    // The step that a proposal replaces may have changed, and what the screen shows may have led to others.
    if (isMadeElsewhere || queryClient.getQueryData(proposalsKey)?.length)
      void queryClient.invalidateQueries({ queryKey: proposalsKey })
  })
  // A poll does not count the segments; without events, progress shows that more has been transcribed.
  useOnChange(module?.progress, (progress) => {
    if (module?.status !== 'PROCESSING') return
    const timer = setTimeout(() => {
      if (lastEvent.current?.progress !== progress) refreshTranscript()
    }, EVENT_GRACE_MS)
    return () => clearTimeout(timer)
  })
  function reloadSoon(): () => void {
    const timer = setTimeout(() => {
      for (const queryKey of [stepsKey, transcriptKey, proposalsKey]) void queryClient.invalidateQueries({ queryKey })
    }, STEPS_RELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }
  useOnChange(module?.status, (status) => {
    setAnnouncement(ANNOUNCEMENTS[status])
    if (status !== 'PROCESSING') return reloadSoon()
    // Without steps, what the server said of them is no longer true.
    if (queryClient.getQueryData(stepsKey) === undefined) void queryClient.resetQueries({ queryKey: stepsKey })
  })
  useOnChange<ModuleStatus>(module && (module.newVersion?.status ?? 'READY'), (status) => {
    setAnnouncement(NEW_VERSIONS[status])
    if (status === 'READY') return reloadSoon()
  })
  return announcement
}

/** Runs when a known value becomes another one; the first known value is not a change. */
function useOnChange<T>(value: T | undefined, onChange: (value: T) => void | (() => void)): void {
  const previous = useRef(value)
  const handleChange = useEffectEvent(onChange)
  useEffect(() => {
    const before = previous.current
    previous.current = value
    if (value === undefined || before === undefined || before === value) return
    return handleChange(value)
  }, [value])
}

/** A module can publish several changes a second; each query is loaded again at most this often. */
const REFRESH_EVERY_MS = 1_000

interface RefresherOptions {
  queryClient: QueryClient
  queryKey: QueryKey
  /** Whether the cache already has the change; without this an answer that was already under way never counts. */
  isFresh?: (() => boolean) | undefined
}

/**
 * Loads a query again, at once and then at most once a second, one call at a time. An answer that was already under way
 * may be older than a change that was published since, so it is followed by another call instead of being aborted: with
 * aborts, no answer of a slow server with frequent changes would ever arrive.
 */
export function makeQueryRefresher({ queryClient, queryKey, isFresh = () => false }: RefresherOptions) {
  let lastAtMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false

  function refresh() {
    if (isRunning) isWanted = true
    else if (timer === undefined) schedule()
  }

  function schedule() {
    const waitMs = lastAtMs + REFRESH_EVERY_MS - Date.now()
    if (waitMs <= 0) void run()
    else timer = setTimeout(run, waitMs)
  }

  async function run() {
    timer = undefined
    lastAtMs = Date.now()
    isRunning = true
    isWanted = false
    const wasUnderWay = queryClient.isFetching({ queryKey, exact: true }) > 0
    await queryClient.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })
    isRunning = false
    if (isWanted || (wasUnderWay && !isFresh())) schedule()
  }

  return { refresh, stop: () => clearTimeout(timer) }
}

/** {@link makeQueryRefresher} for as long as a component lives. The key and the question are those of the first draw. */
export function useQueryRefresher(queryKey: QueryKey, isFresh?: () => boolean): () => void {
  const queryClient = useQueryClient()
  const [refresher] = useState(() => makeQueryRefresher({ queryClient, queryKey, isFresh }))
  useEffect(() => refresher.stop, [refresher])
  return refresher.refresh
}

interface LiveModuleOptions extends Pick<LiveSocketOptions, 'moduleId' | 'onEvent'> {
  /** False until the module is known to exist, so that a wrong link never asks for tickets. */
  enabled: boolean
}

/** Calls back whenever the module moves on. Pages poll as well, so nothing depends on the socket working. */
function useLiveModule({ moduleId, enabled, onEvent }: LiveModuleOptions): void {
  const callApi = useApi()
  const handleEvent = useEffectEvent(onEvent)
  const loadTicket = useEffectEvent(async () => {
    const path = `/api/modules/${encodeURIComponent(moduleId)}/live-ticket`
    return (await callApi({ path, method: 'POST', schema: LiveTicketAnswer })).ticket
  })
  useEffect(() => {
    if (!enabled || typeof WebSocket === 'undefined') return
    return openLiveSocket({
      moduleId,
      loadTicket: () => loadTicket(),
      readEvent: (json) => LiveEvent.safeParse(json).data ?? null,
      onEvent: (event) => handleEvent(event),
    })
  }, [moduleId, enabled])
}
