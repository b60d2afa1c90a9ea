import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as m from '#messages'
import { useApi } from '#web/lib/api.ts'
import { type CaptionCheckState, needsLook } from '#web/lib/captions/caption-check.ts'
import { sayCaptions } from '#web/lib/captions/say-captions.ts'
import { useStore } from '#web/lib/use-store.ts'
import { CaptionReport } from '#web/ui/caption-report.tsx'
import { CaptionsField, DropZone, ShareChoice } from './pick-files.tsx'
import { UnfinishedUploads, uploadListQuery } from './unfinished-uploads.tsx'
import { detailOf, isBusy, percentOf, type UploadItem } from './upload-item.ts'
import { type Uploads, useUploadManager, useUploads } from './upload-manager.ts'
import { describeState, UploadRow } from './upload-row.tsx'

interface UploaderProps {
  /** The training of which the video is a new recording; null for a training of its own. */
  replaces: string | null
}

/** Choose or drop a video (and captions) and watch it go; what was left unfinished earlier waits below. */
export function Uploader({ replaces }: UploaderProps) {
  const manager = useUploadManager()
  const upload = useUploads()
  const { data: maxBytes = null } = useQuery({ ...uploadListQuery(useApi()), select: (answer) => answer.maxBytes })
  const [rejectedCaptions, setRejectedCaptions] = useState<string | null>(null)
  const isAnyBusy = upload.items.some(({ state }) => isBusy(state))
  const note = describeCaptions(upload, rejectedCaptions)
  // What was only refused is of no interest to the next visit.
  useEffect(() => () => manager.tidy(), [manager])
  useEffect(() => {
    manager.setReplaces(replaces)
    return () => manager.setReplaces(null)
  }, [manager, replaces])
  return (
    <div className="flex flex-col gap-4">
      <DropZone
        onFiles={(files) => {
          setRejectedCaptions(null)
          manager.addFiles(files)
        }}
        isDisabled={isAnyBusy}
        maxBytes={maxBytes}
        bytesPerSecond={upload.bytesPerSecond}
      />
      <PickedCaptions isDisabled={isAnyBusy} onReject={setRejectedCaptions} />
      {replaces === null && (
        <ShareChoice
          isShared={upload.isShared}
          isDisabled={isAnyBusy}
          onChange={(isShared) => manager.setShared(isShared)}
        />
      )}
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
                isBlocked={isAnyBusy}
                onCancel={() => manager.cancel()}
                onPause={(isPaused) => manager.setPaused(isPaused)}
                onRetry={() => manager.retry(item)}
                onConvert={() => manager.convert(item)}
              />
            </li>
          ))}
        </ul>
      )}
      <Announcement item={upload.items[0]} />
      <UnfinishedUploads isBusy={isAnyBusy} />
    </div>
  )
}

/** Whether the captions that were picked wait for a person, or could not be read. */
function isToBeSeen({ isAccepted, report, error }: CaptionCheckState): boolean {
  return !isAccepted && (error !== null || (report !== null && needsLook(report)))
}

interface PickedCaptionsProps {
  isDisabled: boolean
  /** Called with the name of a file that is none of captions, and with null for any other. */
  onReject: (name: string | null) => void
}

/** The captions that go with the video, and what is to be looked at before. */
function PickedCaptions({ isDisabled, onReject }: PickedCaptionsProps) {
  const manager = useUploadManager()
  const { captions } = useUploads()
  const check = useStore(manager.gate.check)
  return (
    <CaptionsField
      captions={captions}
      contents={check?.isAccepted && check.report ? sayCaptions(check.report) : null}
      onChange={(file) => {
        onReject(null)
        manager.setCaptions(file)
      }}
      onReject={(file) => onReject(file.name)}
      isDisabled={isDisabled}
    >
      {check !== null && isToBeSeen(check) && (
        <section aria-label={m.check_the_captions()} className="w-full border-t border-line pt-4">
          <CaptionReport
            check={manager.gate.check}
            state={check}
            onCancel={() => manager.setCaptions(null)}
            cancelLabel={m.captions_not_these()}
          />
        </section>
      )}
    </CaptionsField>
  )
}

/** What is wrong with the captions that were picked; null where nothing is. */
function describeCaptions({ captions, items }: Uploads, rejected: string | null): string | null {
  if (rejected !== null) return m.not_a_caption_file({ name: rejected })
  if (captions === null || items.length > 0) return null
  return m.captions_need_a_video()
}

function Announcement({ item }: { item: UploadItem | undefined }) {
  return (
    <p role="status" className="sr-only">
      {item ? announcement(item) : ''}
    </p>
  )
}

/** Announces every quarter of the way to screen readers, not every percent. */
function announcement({ name, state }: UploadItem): string {
  const percent = percentOf(state)
  const quarter = percent === null ? null : Math.floor(percent / 25) * 25
  return m.upload_announcement({ name, state: describeState(state, quarter), detail: detailOf(state) ?? '' })
}
