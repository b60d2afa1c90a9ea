import { queryOptions } from '@tanstack/react-query'
import { LanguagesAnswer } from '#contract/translation.ts'
import type { CallApi } from '#web/lib/api.ts'

/** How often a translation that is in progress is looked at. */
const POLL_MS = 2_000

/** The languages of a training, and how far each is translated. */
export function languagesQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['languages', moduleId],
    queryFn: ({ signal }) =>
      callApi({ path: `/api/modules/${encodeURIComponent(moduleId)}/languages`, schema: LanguagesAnswer, signal }),
    refetchInterval: ({ state }) => (state.data?.languages.some((each) => each.isInProgress) ? POLL_MS : false),
  })
}
