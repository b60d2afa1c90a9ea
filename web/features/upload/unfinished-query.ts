import { queryOptions } from '@tanstack/react-query'
import { type Upload, UploadListAnswer } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

export const UNFINISHED_KEY = ['unfinished-uploads'] as const

/** The caller's uploads that stopped on the way. */
export function unfinishedQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: UNFINISHED_KEY,
    queryFn: async ({ signal }): Promise<Upload[]> =>
      (await callApi({ path: '/api/upload', schema: UploadListAnswer, signal })).uploads,
    // Another tab may be sending one of them.
    refetchOnMount: 'always',
  })
}

export function percentArrived({ parts, sizeBytes }: Upload): number {
  const arrivedBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  return sizeBytes > 0 ? Math.min(100, Math.floor((arrivedBytes / sizeBytes) * 100)) : 0
}

/** All bytes are in the storage; only the confirmation was lost. */
export function isWhole({ parts, plan }: Upload): boolean {
  return parts.length === plan.partCount
}
