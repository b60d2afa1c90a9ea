import { useEffect, useEffectEvent } from 'react'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { copyQueue } from '#web/features/upload/small-copy/copy-queue.ts'
import { useIsUploading } from '#web/features/upload/small-copy/small-copies.tsx'
import { useApi } from '#web/lib/api.ts'
import { watchSparing } from './watch-sparing.ts'

/** The page, its video and its images come first. */
const BEGIN_AFTER_MS = 10_000

/** Makes the small copy of an owner's training that lacks one, once its page has been open for a while. */
export function useMissingCopy({ id, lacksSmallCopy }: Pick<LoadedModule, 'id' | 'lacksSmallCopy'>): void {
  const callApi = useApi()
  const isUploading = useIsUploading()
  const begin = useEffectEvent(async () => {
    const isSparing = await watchSparing()
    if (!isSparing()) copyQueue.add([id], { callApi, isUploading, isSparing })
  })
  useEffect(() => {
    if (!lacksSmallCopy) return
    const timer = setTimeout(() => void begin(), BEGIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [id, lacksSmallCopy])
}
