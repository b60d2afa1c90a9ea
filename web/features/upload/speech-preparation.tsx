import { queryOptions, useQuery } from '@tanstack/react-query'
import { AudioLines } from 'lucide-react'
import { Health } from '#contract/debug.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'

/** As often as the number of megabytes is worth reading again. */
const REFRESH_MS = 3_000
/** Once it is prepared it stays so. */
const FRESH_MS = 10 * 60_000
const MEGABYTE = 1024 ** 2

function preparationQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: ['speech-preparation'],
    queryFn: async ({ signal }) => (await callApi({ path: '/api/health', schema: Health, signal })).speechPreparation,
    refetchInterval: ({ state }) => (state.data ? REFRESH_MS : false),
    staleTime: ({ state }) => (state.data ? 0 : FRESH_MS),
    retry: false,
  })
}

/** Says how far speech recognition is prepared, as long as videos wait for it. */
export function SpeechPreparation({ className = '' }: { className?: string }) {
  const { data: preparation } = useQuery(preparationQuery(useApi()))
  if (!preparation) return null
  const [done, total] = [preparation.doneBytes, preparation.totalBytes].map((bytes) => Math.round(bytes / MEGABYTE))
  return (
    <p className={`flex items-start gap-2 rounded-card bg-brand-soft px-4 py-3 text-sm text-brand-ink ${className}`}>
      <AudioLines aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        <span className="font-medium tabular-nums">
          {total ? m.speech_prepared_so_far({ done: done ?? 0, total }) : m.speech_prepared_soon()}
        </span>{' '}
        {m.videos_wait_for_speech()}
      </span>
    </p>
  )
}
