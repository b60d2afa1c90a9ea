import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { AiUseAnswer, DebugListAnswer, DebugTimelineAnswer, Health } from '#contract/debug.ts'
import { DEBUG_LIST_DEFAULT } from '#contract/limits.ts'
import * as m from '#messages'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { DEBUG_KEY } from '#web/lib/module-cache.ts'

export const DEBUG_FILTERS = {
  all: { label: m.all(), query: '' },
  failed: { label: m.failed_state(), query: '&status=failed' },
  stuck: { label: m.stuck(), query: '&stuck=true' },
  ready: { label: m.ready_state(), query: '&status=completed' },
  processing: { label: m.processing_state(), query: '&status=processing' },
  orphaned: { label: m.orphaned(), query: '&status=orphaned' },
} as const
export type DebugFilter = keyof typeof DEBUG_FILTERS

/** An operator who watches a recovery sees it without reloading the page. */
const REFRESH_MS = 15_000

/** The modules that the caller may look into, newest first. */
export function debugModulesQuery(callApi: CallApi, filter: DebugFilter) {
  return queryOptions({
    queryKey: [...DEBUG_KEY, 'modules', filter],
    queryFn: ({ signal }) => {
      const path = `/api/debug/modules/debug?limit=${DEBUG_LIST_DEFAULT}${DEBUG_FILTERS[filter].query}`
      return callApi({ path, schema: DebugListAnswer, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

export function timelineQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: [...DEBUG_KEY, 'timeline', moduleId],
    queryFn: ({ signal }) =>
      callApi({ path: `/api/debug/modules/${encodeURIComponent(moduleId)}`, schema: DebugTimelineAnswer, signal }),
    refetchInterval: REFRESH_MS,
  })
}

export function aiUseQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: [...DEBUG_KEY, 'usage'],
    queryFn: ({ signal }) => callApi({ path: '/api/debug/usage', schema: AiUseAnswer, signal }),
  })
}

export function healthQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: [...DEBUG_KEY, 'health'],
    queryFn: ({ signal }) => callApi({ path: '/api/health', schema: Health, signal }).catch(readIllness),
    refetchInterval: REFRESH_MS,
  })
}

/** Without its database the server answers 503, but the body still reports the state of the other parts. */
function readIllness(error: unknown): Health {
  const health = Health.safeParse(error instanceof ApiError ? error.body : null)
  if (health.success) return health.data
  throw error
}
