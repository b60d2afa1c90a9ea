import { useEffect, useState } from 'react'
import { CaptionsField } from './captions-field.tsx'
import { DropZone } from './drop-zone.tsx'
import { UnfinishedUploads } from './unfinished-uploads.tsx'
import { useUploadManager, useUploadState } from './upload-context.tsx'
import type { UploadItem } from './upload-item.ts'
import type { UploadState } from './upload-manager.ts'
import { statusText, UploadRow } from './upload-row.tsx'

/** Choose or drop a video (and captions) and watch it go; what was left unfinished earlier waits below. */
export function Uploader() {
  const manager = useUploadManager()
  const upload = useUploadState()
  const [rejectedCaptions, setRejectedCaptions] = useState<string | null>(null)
  const isBusy = upload.items.some(({ status }) => status === 'uploading' || status === 'processing')
  const note = rejectedCaptions
    ? `${rejectedCaptions} is not a caption file. Choose a .vtt or .srt file.`
    : captionsNote(upload)
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
      {note && (
        <p role="status" className="rounded-control bg-warn-soft px-4 py-3 text-sm text-warn-ink">
          {note}
        </p>
      )}
      {upload.items.length > 0 && (
        <ul aria-label="Files" className="flex flex-col gap-3">
          {upload.items.map((item) => (
            <li key={item.id}>
              <UploadRow
                item={item}
                isBlocked={isBusy}
                onCancel={() => manager.cancel()}
                onPause={(isPaused) => manager.setPaused(isPaused)}
                onRetry={() => manager.retry(item)}
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

function captionsNote({ captions, items }: UploadState): string | null {
  if (!captions || items.length > 0) return null
  return 'Captions alone are not enough: a module is made from a video. Now select the video that they belong to.'
}

/** Announces every quarter of the way to screen readers, not every percent. */
function announcement(item: UploadItem): string {
  const quarter = item.status === 'uploading' ? Math.floor(item.progress / 25) * 25 : item.progress
  return `${item.name}: ${statusText({ ...item, progress: quarter })}. ${item.detail ?? ''}`
}
