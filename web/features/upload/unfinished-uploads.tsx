import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CirclePause } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Upload, UploadListAnswer } from '#contract/upload.ts'
import * as m from '#messages'
import { type CallApi, useApi } from '#web/lib/api.ts'
import { formatBytes } from '#web/lib/format/format-bytes.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { fileError } from './file-fault.ts'
import { openKept } from './kept-files.ts'
import { ACCEPT_VIDEOS, FileButton } from './pick-files.tsx'
import { useUploadManager, useUploads } from './upload-manager.ts'

const UNFINISHED_KEY = ['unfinished-uploads'] as const

/** The person's own unfinished uploads, and how large a file may be. */
export function uploadListQuery(callApi: CallApi) {
  return queryOptions({
    queryKey: UNFINISHED_KEY,
    queryFn: ({ signal }) => callApi({ path: '/api/upload', schema: UploadListAnswer, signal }),
    // Another tab may be sending one of them.
    refetchOnMount: 'always',
  })
}

function percentArrived({ parts, sizeBytes }: Upload): number {
  const arrivedBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  return sizeBytes > 0 ? Math.min(100, Math.floor((arrivedBytes / sizeBytes) * 100)) : 0
}

/** All bytes are in the storage; only the confirmation was lost. */
function isWhole({ parts, plan }: Upload): boolean {
  return parts.length === plan.partCount
}

/** How soon the end of an upload in another tab is noticed. */
const LOOK_AGAIN_MS = 3_000

/** Uploads that were interrupted by a closed tab, a crash or a lost connection. */
export function UnfinishedUploads({ isBusy }: { isBusy: boolean }) {
  const { items, gone: removedIds } = useUploads()
  const manager = useUploadManager()
  const query = useQuery(uploadListQuery(useApi()))
  const queryClient = useQueryClient()
  // An upload that ends here may have left the list or come onto it.
  useEffect(() => {
    if (!isBusy) void queryClient.invalidateQueries({ queryKey: UNFINISHED_KEY })
  }, [isBusy, queryClient])
  const uploads = query.data?.uploads ?? []
  const moving = useQuery({
    queryKey: ['moving-uploads'],
    queryFn: () => manager.deps.locks.list(),
    enabled: uploads.length > 0,
    refetchInterval: LOOK_AGAIN_MS,
    networkMode: 'always',
  })
  // What its own row cannot continue needs its file once more.
  const isHere = (moduleId: string) =>
    items.some(
      ({ attempt, state }) => attempt?.moduleId === moduleId && !(state.kind === 'failed' && state.next === 'none'),
    )
  const visibleUploads = uploads.filter(({ moduleId }) => !isHere(moduleId) && !removedIds.includes(moduleId))
  if (visibleUploads.length === 0) return null
  return (
    <section aria-labelledby="unfinished-heading" className="mt-4 flex flex-col gap-3">
      <h2 id="unfinished-heading" className="text-sm font-semibold text-ink-faint">
        {m.unfinished_uploads()}
      </h2>
      {visibleUploads.map((upload) => (
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

interface UnfinishedCardProps {
  upload: Upload
  /** Another upload is on its way. */
  isBusy: boolean
  /** Another tab is sending it. */
  isElsewhere: boolean
}

function UnfinishedCard({ upload, isBusy, isElsewhere }: UnfinishedCardProps) {
  const { filename, sizeBytes, createdAt } = upload
  const [note, setNote] = useState<string | null>(null)
  return (
    <Card className="@container p-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-56 items-start gap-4">
          <CirclePause aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-ink-faint" strokeWidth={1.75} />
          <div className="min-w-0">
            <p className="text-sm font-medium wrap-anywhere">
              {isElsewhere
                ? m.upload_in_another_tab({ name: filename })
                : m.upload_stopped_at_percent({ name: filename, percent: percentArrived(upload) })}
            </p>
            <p className="text-sm text-ink-soft tabular-nums">
              {formatBytes(sizeBytes)} · {m.begun_on({ date: formatDate(createdAt) })}
            </p>
          </div>
        </div>
        {!isElsewhere && (
          <div className="flex flex-wrap gap-2 @max-md:basis-full">
            <WayOn upload={upload} isBusy={isBusy} onNote={setNote} />
            <Discard upload={upload} onNote={setNote} />
          </div>
        )}
      </div>
      {note !== null && (
        <p role="alert" className="mt-3 rounded-control bg-warn-soft px-3 py-2 text-sm text-warn-ink">
          {note}
        </p>
      )}
    </Card>
  )
}

interface ActionProps {
  upload: Upload
  onNote: (note: string | null) => void
}

/** One click where nothing is missing or the browser still has the file; else the same file is selected again. */
function WayOn({ upload, isBusy, onNote }: ActionProps & { isBusy: boolean }) {
  const manager = useUploadManager()
  const { data: storedFile } = useQuery({
    queryKey: ['kept-file', upload.moduleId],
    queryFn: () => manager.deps.keptFiles.find(upload.moduleId),
    networkMode: 'always',
  })
  const [isLost, setIsLost] = useState(false)

  async function goOnWith(file: File | undefined) {
    if (!file) return
    const fault = await manager.deps.findFileFault(file, { isJustPicked: true })
    if (fault !== null) {
      const { message: problem, detail: remedy } = fileError(fault)
      return onNote(m.problem_and_remedy({ problem, remedy }))
    }
    const isSame = await manager.continueUpload(upload, file)
    // Another one is at the same place now, so the person selects where the first is.
    setIsLost(!isSame)
    onNote(isSame ? null : m.another_file_than_begun({ name: upload.filename }))
  }
  async function continueUpload() {
    const file = storedFile && (await openKept(storedFile))
    if (file) return goOnWith(file)
    setIsLost(true)
    onNote(m.file_not_at_hand({ name: upload.filename }))
  }

  if (isWhole(upload)) {
    return (
      <Button disabled={isBusy} onClick={() => manager.finish(upload)}>
        {m.finish_upload()}
      </Button>
    )
  }
  if (storedFile && !isLost) {
    return (
      <Button disabled={isBusy} onClick={continueUpload} aria-label={m.continue_upload_of({ name: upload.filename })}>
        {m.continue_action()}
      </Button>
    )
  }
  return (
    <FileButton accept={ACCEPT_VIDEOS} isKept isDisabled={isBusy} onFiles={([file]) => goOnWith(file)}>
      {m.select_same_file()}
    </FileButton>
  )
}

function Discard({ upload, onNote }: ActionProps) {
  const manager = useUploadManager()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const discard = useMutation({
    mutationFn: () => manager.discard(upload.moduleId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: UNFINISHED_KEY }),
    onError: (error) => onNote(error.message),
  })
  return (
    <>
      <Button variant="ghost" isBusy={discard.isPending} onClick={() => setIsAsking(true)}>
        {m.discard_action()}
      </Button>
      <AlertDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={m.discard_this_upload()}
        description={m.arrived_part_is_removed({ name: upload.filename })}
        confirmLabel={m.discard_action()}
        onConfirm={() => discard.mutate()}
      />
    </>
  )
}
