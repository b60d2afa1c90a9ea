import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { use, useEffect, useRef, useState } from 'react'
import { SmallCopiesAnswer } from '#contract/small-copy.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { UploadContext } from '../upload-manager.ts'
import { copyQueue, useCopyQueue } from './copy-queue.ts'
import { sayWait } from './copy-wait.ts'

const KEY = ['small-copies']
/** Only uploads and what is made here change it. */
const FRESH_MS = 60_000

function lackingQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await callApi({ path: '/api/modules/small-copies', schema: SmallCopiesAnswer, signal })).modules,
    staleTime: FRESH_MS,
  })
}

/** Whether an upload needs the machine and the line. */
export function useIsUploading(): () => boolean {
  const manager = use(UploadContext)
  return () => manager?.isBusy === true
}

/** The way to trainings that lack a small copy; there is none while all have theirs. */
export function SmallCopies() {
  const [isOpen, setIsOpen] = useState(false)
  const queryClient = useQueryClient()
  const count = useQuery(lackingQuery(useApi())).data?.length ?? 0
  const { moduleIds } = useCopyQueue()
  const leftBefore = useRef(moduleIds.length)
  useEffect(() => {
    // What has been made is no longer lacking.
    if (moduleIds.length < leftBefore.current) void queryClient.invalidateQueries({ queryKey: KEY })
    leftBefore.current = moduleIds.length
  }, [queryClient, moduleIds.length])
  if (count === 0 && moduleIds.length === 0 && !isOpen) return null
  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)}>
        <Smartphone aria-hidden="true" className="size-4" />
        {/* Where there is little room, the image and the number say it. */}
        <span className="max-sm:sr-only">{m.small_copies()}</span>
        {count > 0 && <span className="text-ink-faint tabular-nums">{count}</span>}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={m.small_copies()}
        description={m.small_copies_explained()}
      >
        <CopyWork />
      </Dialog>
    </>
  )
}

function CopyWork() {
  const callApi = useApi()
  const isUploading = useIsUploading()
  const lacking = useQuery(lackingQuery(callApi)).data ?? []
  const { moduleIds, percent, wait, failedIds } = useCopyQueue()
  const isAtWork = moduleIds.length > 0
  const makeAll = () =>
    copyQueue.add(
      lacking.map(({ id }) => id),
      { callApi, isUploading },
    )
  return (
    <div className="mt-4 grid gap-4 text-sm text-ink-soft">
      {isAtWork ? (
        <>
          <div>
            <p className="mb-2 flex justify-between gap-3 tabular-nums">
              <span>{m.small_copies_left({ count: moduleIds.length })}</span>
              <span>{percent}%</span>
            </p>
            <Progress value={percent} label={m.small_copies()} />
          </div>
          <p>{m.small_copies_go_on()}</p>
          <p role="status" className="font-medium text-ink empty:hidden">
            {wait && sayWait(wait)}
          </p>
        </>
      ) : (
        <p>{m.trainings_without_small_copy({ count: lacking.length })}</p>
      )}
      {failedIds.length > 0 && <p role="status">{m.small_copies_failed({ count: failedIds.length })}</p>}
      <div className="flex justify-end">
        {isAtWork ? (
          <Button variant="secondary" onClick={() => copyQueue.stop()}>
            {m.stop_making_copies()}
          </Button>
        ) : (
          lacking.length > 0 && <Button onClick={makeAll}>{m.make_small_copies()}</Button>
        )}
      </div>
    </div>
  )
}
