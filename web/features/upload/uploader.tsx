import { useState } from 'react'
import { CaptionsField } from './captions-field.tsx'
import { DropZone } from './drop-zone.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { type PutFile, putFile as putToStorage } from './put-file.ts'
import type { UploadItem } from './upload-item.ts'
import { statusText, UploadRow } from './upload-row.tsx'
import { useVideoUpload } from './use-video-upload.ts'

interface UploaderProps {
  onUploaded: (moduleId: string) => void
  putFile?: PutFile
}

/** Choose or drop a video (and captions), watch it go, and be taken to its module. */
export function Uploader({ onUploaded, putFile = putToStorage }: UploaderProps) {
  const upload = useVideoUpload({ putFile, onUploaded })
  const [rejectedCaptions, setRejectedCaptions] = useState<string | null>(null)
  const isBusy = upload.items.some(({ status }) => status === 'uploading' || status === 'processing')
  const note = rejectedCaptions
    ? `${rejectedCaptions} is not a caption file. Choose a .vtt or .srt file.`
    : captionsNote(upload)
  function addFiles(files: File[]) {
    setRejectedCaptions(null)
    upload.addFiles(files)
  }
  return (
    <div className="flex flex-col gap-4">
      <DropZone onFiles={addFiles} isDisabled={isBusy} />
      <CaptionsField
        captions={upload.captions}
        onChange={(captions) => {
          setRejectedCaptions(null)
          upload.setCaptions(captions)
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
              <UploadRow item={item} onCancel={() => upload.cancel(item)} onRetry={() => upload.retry(item)} />
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {upload.items[0] ? announcement(upload.items[0]) : ''}
      </p>
      <LeaveGuard isRunning={upload.isRunning} />
    </div>
  )
}

function captionsNote({ captions, items }: { captions: File | null; items: UploadItem[] }): string | null {
  if (!captions || items.length > 0) return null
  return 'Captions alone are not enough: a module is made from a video. Now select the video that they belong to.'
}

/** A screen reader hears every quarter of the way, not every percent. */
function announcement(item: UploadItem): string {
  const quarter = item.status === 'uploading' ? Math.floor(item.progress / 25) * 25 : item.progress
  return `${item.file.name}: ${statusText({ ...item, progress: quarter })}. ${item.detail ?? ''}`
}
