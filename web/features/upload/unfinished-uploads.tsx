import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '#web/lib/api-context.tsx'
import { UnfinishedCard } from './unfinished-card.tsx'
import { UNFINISHED_KEY, unfinishedQuery } from './unfinished-query.ts'
import { useUploadManager, useUploadState } from './upload-context.tsx'

/** How soon the end of an upload in another tab is noticed. */
const LOOK_AGAIN_MS = 3_000

/** Uploads that a closed tab, a crash or a dead line has left behind. */
export function UnfinishedUploads({ isBusy }: { isBusy: boolean }) {
  const { items, gone } = useUploadState()
  const manager = useUploadManager()
  const query = useQuery(unfinishedQuery(useApi()))
  useReloadWhenIdle(isBusy)
  const uploads = query.data ?? []
  const moving = useQuery({
    queryKey: ['moving-uploads'],
    queryFn: () => manager.listMoving(),
    enabled: uploads.length > 0,
    refetchInterval: LOOK_AGAIN_MS,
    networkMode: 'always',
  })
  const isHere = (moduleId: string) => items.some((item) => item.moduleId === moduleId)
  const shown = uploads.filter(({ moduleId }) => !isHere(moduleId) && !gone.includes(moduleId))
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="unfinished-heading" className="mt-4 flex flex-col gap-3">
      <h2 id="unfinished-heading" className="text-sm font-semibold text-ink-faint">
        Unfinished uploads
      </h2>
      {shown.map((upload) => (
        <UnfinishedCard
          key={upload.moduleId}
          upload={upload}
          isBusy={isBusy}
          isElsewhere={moving.data?.has(upload.moduleId) ?? false}
        />
      ))}
    </section>
  )
}

/** An upload that ends here may have left the list or come onto it. */
function useReloadWhenIdle(isBusy: boolean) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isBusy) void queryClient.invalidateQueries({ queryKey: UNFINISHED_KEY })
  }, [isBusy, queryClient])
}
