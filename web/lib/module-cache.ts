import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { MODULES_BACKOFF_MS, MODULES_FETCH_ATTEMPTS } from '#contract/limits.ts'
import { type Module, ModuleAnswer, ModuleListAnswer, type ModulePageAnswer } from '#contract/module.ts'
import type { CallApi } from './api.ts'
import { ApiError } from './api-error.ts'
import { retryUpTo } from './query-client.ts'
import { applyEdits, type CacheEdit, makeEdit } from './use-optimistic-mutation.ts'

/** Everything that is known of the caller's modules as lists. */
export const MODULES_KEY = ['modules'] as const
/** The pages of the dashboard, by what was searched for. */
export const MODULE_PAGES_KEY = [...MODULES_KEY, 'pages'] as const
/** What was found in steps, speech and screens, by what was searched for. */
export const FOUND_KEY = [...MODULES_KEY, 'found'] as const
export const AT_WORK_KEY = [...MODULES_KEY, 'processing'] as const

export const DELETED_KEY = [...MODULES_KEY, 'deleted'] as const

export const OPENED_KEY = ['opened-modules'] as const
export const FEEDBACK_STATS_KEY = ['feedback-stats'] as const
export const DEBUG_KEY = ['debug'] as const

/** What else is of the active organization alone: its people, records and rules. */
export const ORGANIZATION_KEY = ['organization'] as const

/** What the server lists by the active organization. */
export const LIST_KEYS = [MODULES_KEY, OPENED_KEY, FEEDBACK_STATS_KEY, DEBUG_KEY, ORGANIZATION_KEY] as const

/** How often and when modules are asked for again. */
export const MODULES_RETRY = retryUpTo(MODULES_FETCH_ATTEMPTS - 1, (failures) => MODULES_BACKOFF_MS * (failures + 1))

/** Every module that was opened. */
export const MODULE_KEY = ['module'] as const

export function moduleKey(moduleId: string) {
  return [...MODULE_KEY, moduleId] as const
}

export type ModulePages = InfiniteData<ModulePageAnswer, string | null>
/** One module as its own page has it, with its steps. */
export type LoadedModule = ModuleAnswer['module']
type ModuleChange = Partial<Pick<LoadedModule, keyof Module | 'language' | 'glossary'>>

/** Whether a module is being made, or made again. */
export function isAtWork({ status, newVersion }: Pick<Module, 'status' | 'newVersion'>): boolean {
  return (newVersion?.status ?? status) === 'PROCESSING'
}

/** Shows a change of a module wherever it is on the screen. What is not loaded is not touched. */
export function changeCachedModule(
  queryClient: QueryClient,
  moduleId: string,
  change: ModuleChange | ((module: Module) => ModuleChange),
): void {
  applyEdits(queryClient, editModule(moduleId, change))
}

/** A change of a module wherever it is on the screen. */
export function editModule(moduleId: string, change: ModuleChange | ((module: Module) => ModuleChange)): CacheEdit[] {
  const apply = <Some extends Module>(module: Some): Some =>
    module.id === moduleId ? { ...module, ...(typeof change === 'function' ? change(module) : change) } : module
  return [
    editPages((modules) => modules.map(apply)),
    makeEdit<Module[]>(AT_WORK_KEY, (modules) => modules.map(apply)),
    makeEdit<LoadedModule>(moduleKey(moduleId), apply),
  ]
}

/**
 * Shows that a run of a module has begun, wherever the module is on the screen. The lists are loaded again, because
 * the module watch learns from them that there is one more.
 */
export async function showBegunRun(queryClient: QueryClient, moduleId: string, message: string): Promise<void> {
  changeCachedModule(queryClient, moduleId, ({ status, newVersion }) => {
    const begun = { status: 'PROCESSING', progress: 0, message } as const
    // A READY module stays READY for everyone while a new version is made.
    if (status !== 'READY') return begun
    // An event about it may have come before the answer.
    if (newVersion?.status === 'PROCESSING') return {}
    return { newVersion: { ...begun, run: (newVersion?.run ?? 0) + 1, lastError: null, failureCode: null } }
  })
  const stale = [MODULES_KEY, moduleKey(moduleId)]
  await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Takes a module off all lists. */
export function dropModule(moduleId: string): CacheEdit {
  return editPages((modules) => modules.filter((module) => module.id !== moduleId))
}

function editPages(map: (modules: Module[]) => Module[]): CacheEdit {
  return makeEdit<ModulePages>(MODULE_PAGES_KEY, (pages) => ({
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, modules: map(page.modules) })),
  }))
}

/** The caller's modules that are being processed: a short list, polled as often as its consumer needs. */
export function atWorkQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: AT_WORK_KEY,
    queryFn: async ({ signal }): Promise<Module[]> =>
      (await callApi({ path: '/api/modules/processing', schema: ModuleListAnswer, signal })).modules,
  })
}

/** Finds the module as a page of this tab that watches it has loaded it; null if no page does. */
export function findWatchedModule(queryClient: QueryClient, moduleId: string): LoadedModule | null {
  const query = queryClient.getQueryCache().find<LoadedModule>({ queryKey: moduleKey(moduleId), exact: true })
  return query?.isActive() && query.state.status === 'success' ? (query.state.data ?? null) : null
}

/** Reads a module from the server. `unknown` when the call failed; the next poll tries again. */
export async function readModule(callApi: CallApi, moduleId: string): Promise<LoadedModule | 'gone' | 'unknown'> {
  try {
    return (await callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}`, schema: ModuleAnswer })).module
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? 'gone' : 'unknown'
  }
}
