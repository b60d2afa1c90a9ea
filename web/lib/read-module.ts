import { ModuleAnswer } from '#contract/module.ts'
import type { CallApi } from './api-context.tsx'
import { ApiError } from './api-error.ts'
import type { LoadedModule } from './module-cache.ts'

/** A module as it is now. `unknown` when the answer did not come, which the next poll makes good. */
export async function readModule(callApi: CallApi, moduleId: string): Promise<LoadedModule | 'gone' | 'unknown'> {
  try {
    return (await callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}`, schema: ModuleAnswer })).module
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? 'gone' : 'unknown'
  }
}
