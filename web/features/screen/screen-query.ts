import { queryOptions } from '@tanstack/react-query'
import { ScreenAnswer } from '#contract/screen.ts'
import type { CallApi } from '#web/lib/api.ts'
import { screenPath } from './screen-path.ts'

/** What was read from a module's screen, for its owners. */
export function screenQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['screen', moduleId],
    queryFn: ({ signal }) => callApi({ path: screenPath(moduleId), schema: ScreenAnswer, signal }),
  })
}
