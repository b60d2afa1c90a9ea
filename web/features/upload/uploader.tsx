import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { CaptionsField, DropZone, ShareChoice } from './pick-files.tsx'
import { UnfinishedUploads, uploadListQuery } from './unfinished-uploads.tsx'
import { type UploadState, useUploadManager, useUploadState } from './upload-manager.ts'
import { statusText, UploadRow } from './upload-row.tsx'
import type { UploadItem } from './upload-run.ts'

/** Choose or drop a video (and captions) and watch it go; what was left unfinished earlier waits below. */
export function Uploader() {
  const manager = useUploadManager()
  const upload = useUploadState()
  const { data: maxBytes = null } = useQuery({ ...uploadListQuery(useApi()), select: (answer) => answer.maxBytes })
  const [rejectedCaptions, setRejectedCaptions] = useState<string | null>(null)
  const isBusy = upload.items.some(({ status }) => status === 'uploading' || status === 'processing')
  const note = describeCaptions(upload, rejectedCaptions)
  // What was only refused is of no interest to the next visit.
  useEffect(() => () => manager.tidy(), [manager])
  return (
    <div className="flex flex-col gap-4">
      <DropZone
        onFiles={(files) => {
          setRejectedCaptions(null)
          manager.addFiles(files)
        }}
        isDisabled={isBusy}
        maxBytes={maxBytes}
      />
      <CaptionsField
        captions={upload.captions}
        onChange={(captions) => {
          setRejectedCaptions(null)
          manager.setCaptions(captions)
        }}
        onReject={(file) => setRejectedCaptions(file.name)}
        isDisabled={isBusy}
      />
      <ShareChoice
        isShared={upload.isShared}
        isDisabled={isBusy}
        onChange={(isShared) => manager.setShared(isShared)}
      />
      {note && (
        <p role="status" className="rounded-control bg-warn-soft px-4 py-3 text-sm text-warn-ink">
          {note}
        </p>
      )}
      {upload.items.length > 0 && (
        <ul aria-label={m.files_of_upload()} className="flex flex-col gap-3">
          {upload.items.map((item) => (
            <li key={item.id}>
              <UploadRow
                item={item}
                isBlocked={isBusy}
                onCancel={() => manager.cancel()}
                onPause={(isPaused) => manager.setPaused(isPaused)}
                onRetry={() => manager.retry(item)}
                onConvert={() => manager.convert(item)}
              />
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {upload.items[0] ? announcement(upload.items[0]) : ''}
      </p>
      <UnfinishedUploads isBusy={isBusy} />
    </div>
  )
}

/** What is wrong with the captions that were picked; null where nothing is. */
function describeCaptions({ captions, items }: UploadState, rejected: string | null): string | null {
  if (rejected !== null) return m.not_a_caption_file({ name: rejected })
  if (captions === null || items.length > 0) return null
  return m.captions_need_a_video()
}

/** Announces every quarter of the way to screen readers, not every percent. */
function announcement(item: UploadItem): string {
  const quarterOf = (percent: number) => Math.floor(percent / 25) * 25
  const progress = item.status === 'uploading' ? quarterOf(item.progress) : item.progress
  const convertedPercent = item.convertedPercent === null ? null : quarterOf(item.convertedPercent)
  const state = statusText({ ...item, progress, convertedPercent })
  return m.upload_announcement({ name: item.name, state, detail: item.detail ?? '' })
}
