import { queryOptions } from '@tanstack/react-query'
import { TranscriptAnswer } from '#contract/transcript.ts'
import type { CallApi } from '#web/lib/api.ts'

export function transcriptQuery(callApi: CallApi, moduleId: string) {
  return queryOptions({
    queryKey: ['transcript', moduleId],
    queryFn: ({ signal }) =>
      callApi({ path: `/api/transcript/${encodeURIComponent(moduleId)}`, schema: TranscriptAnswer, signal }),
  })
}
